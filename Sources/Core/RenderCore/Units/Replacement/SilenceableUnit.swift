/// A unit that can end everything that sounds.
package protocol SilenceableUnit: RenderUnit {
  /// Ends notes and tails within 512 frames. Parameters, programs, controllers and files remain. May be called while the
  /// unit renders.
  ///
  /// - Throws: An error whose description is a sentence for the user, if there is no memory for it.
  func silence() throws

  /// Continues as a new unit with the parameters, programs, controllers and files of now, from the next cycle on, so that
  /// what follows does not depend on what was played before. What sounds is cut off. May be called while the unit renders.
  ///
  /// - Throws: As ``silence()``.
  func renew() throws
}
