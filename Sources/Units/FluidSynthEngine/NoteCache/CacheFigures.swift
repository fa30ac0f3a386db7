/// How much of a song was played from recordings. With several threads it may differ from run to
/// run, for they take memory in any order; the sound does not.
public struct CacheFigures: Sendable, BitwiseCopyable {
  /// Notes that have ended, and how many blocks of 64 frames they had.
  public var notes = 0
  public var blocks = 0
  /// Those that were played from recordings.
  public var playedNotes = 0
  public var playedBlocks = 0
  /// Notes that were recorded to their ends.
  public var recordedNotes = 0
  /// Notes that were begun from a recording and then had to be rendered all the same.
  public var strayedNotes = 0
  /// Recordings thrown away while notes of their kind were to come.
  public var evictedRecordings = 0
  /// The most memory that held sound, in bytes.
  public var mostBytes = 0

  @_noLocks public init() {}

  @_noLocks mutating func count(_ mode: Playhead.Mode, blocks: Int) {
    notes += 1
    self.blocks += blocks
    switch mode {
    case .off: break
    case .strayed: strayedNotes += 1
    case .recording: recordedNotes += 1
    case .playing:
      playedNotes += 1
      playedBlocks += blocks
    }
  }
}
