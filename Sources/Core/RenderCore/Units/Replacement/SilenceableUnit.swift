/// A unit that can end everything that sounds.
package protocol SilenceableUnit: RenderUnit {
  /// Ends notes and tails within 512 frames. Parameters, programs, controllers and files remain. May be called while the
  /// unit renders.
  ///
  /// - Throws: An error whose description is a sentence for the user, if there is no memory for it.
  func silence() throws
}
