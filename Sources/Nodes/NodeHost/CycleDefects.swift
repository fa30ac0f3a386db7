/// The defects of a rendered cycle. A cycle that was not rendered has none.
public struct CycleDefects: Equatable, Sendable, BitwiseCopyable {
  /// The number of notes that started up to 63 frames late because the node was not ready for so many notes at once, as
  /// reported by the node (not trusted). Always 0 offline.
  public internal(set) var lateNotes = 0
  /// The number of infinite and NaN samples in the node's audio, which were replaced by 0.
  public internal(set) var invalidSamples = 0
  /// The number of infinite and NaN samples in the host's input, which the node replaced by 0.
  public internal(set) var invalidInputSamples = 0

  @_noLocks init() {}

  public var isEmpty: Bool {
    @_noLocks get { lateNotes | invalidSamples | invalidInputSamples == 0 }
  }

  // Not synthesized, because render threads cannot call a synthesized `==`, which is not `@_noLocks`.
  @_noLocks public static func == (a: Self, b: Self) -> Bool {
    a.lateNotes == b.lateNotes && a.invalidSamples == b.invalidSamples
      && a.invalidInputSamples == b.invalidInputSamples
  }
}
