/// How much of a song was played from recordings.
///
/// With several threads the figures may differ between runs, because the threads allocate chunks in
/// any order. The output never differs.
public struct CacheFigures: Sendable, BitwiseCopyable {
  /// The number of notes that have ended.
  public var notes = 0
  /// The number of blocks of 64 frames in those notes.
  public var blocks = 0
  /// The number of notes that were played from recordings, and of their blocks.
  public var playedNotes = 0
  public var playedBlocks = 0
  /// The number of notes that were recorded to their ends.
  public var recordedNotes = 0
  /// The number of notes that started from a recording, diverged from it and were rendered instead.
  public var divergedNotes = 0
  /// The number of recordings discarded although notes of their kind were still to come.
  public var evictedRecordings = 0
  /// The peak memory occupied by recordings, in bytes.
  public var peakBytes = 0

  @_noLocks public init() {}

  @_noLocks mutating func count(_ mode: Playhead.Mode, blocks: Int) {
    notes += 1
    self.blocks += blocks
    switch mode {
    case .off: break
    case .diverged: divergedNotes += 1
    case .recording: recordedNotes += 1
    case .playing:
      playedNotes += 1
      playedBlocks += blocks
    }
  }
}
