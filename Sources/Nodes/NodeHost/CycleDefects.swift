/// What was wrong with a cycle although it was rendered. Nothing is of one that was not.
public struct CycleDefects: Equatable, Sendable, BitwiseCopyable {
  /// Notes that did not begin on their frame but up to 63 frames later, for the node was not ready for so many at
  /// once: as far as it is to be believed. An offline host has none.
  public internal(set) var lateNotes = 0
  /// Samples of the node's audio that were infinite or NaN, and were replaced by 0.
  public internal(set) var invalidSamples = 0
  /// Samples of the host's own input that were, and that the node replaced.
  public internal(set) var invalidInputSamples = 0

  @_noLocks init() {}

  public var isEmpty: Bool {
    @_noLocks get { lateNotes | invalidSamples | invalidInputSamples == 0 }
  }

  // Written out, for one that the compiler makes is not open to render threads.
  @_noLocks public static func == (a: Self, b: Self) -> Bool {
    a.lateNotes == b.lateNotes && a.invalidSamples == b.invalidSamples
      && a.invalidInputSamples == b.invalidInputSamples
  }
}
