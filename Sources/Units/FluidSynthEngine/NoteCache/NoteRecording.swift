/// The audio of one note, from onset to end, and the commands applied to it.
///
/// By the onset law, the same start and the same commands before the same blocks give the same bits. A
/// note that matches a recording in these can therefore be played from it instead of by a synth. The
/// data is in chunks of the ``NoteCache``: one ``Record`` for each command and each block, in order.
struct NoteRecording: BitwiseCopyable {
  /// The kind of notes it is kept for; −1 if it is no longer kept for any.
  var kind = -1
  var key: UInt8 = 0
  var velocity: UInt8 = 0
  /// The number of voices at the onset.
  var voices: Int32 = 0
  var classes = ExclusiveClasses()

  /// The next note that may be played from it; −1 if there is none.
  var nextNote = -1
  /// The number of lanes that play or write it.
  var users = 0
  /// The lane group in which it is written. Until it is complete, only lanes of that group may play it, because
  /// they are rendered after the lane that writes it.
  var group: Int32 = 0
  var progress = Progress.unused

  var firstChunk: Int32 = -1
  var chunkCount = 0
  /// The approximate number of chunks that it will have.
  var expectedChunks = 0

  enum Progress: UInt8 {
    case unused
    case inProgress
    /// Reaches the end of the note.
    case complete
    /// Not continued; lanes may still play the part that exists.
    case abandoned

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  }

  @_noLocks init() {}

  var isInProgress: Bool { @_noLocks get { progress == .inProgress } }

  /// Whether it is written and played at the same time.
  var isPlayedWhileRecorded: Bool { @_noLocks get { isInProgress && users > 1 } }

  /// The number of chunks that cannot be released now, including those that are still to be added.
  var pinnedChunks: Int {
    @_noLocks get {
      if users == 0 { return 0 }
      return isInProgress ? max(chunkCount, expectedChunks) : chunkCount
    }
  }
}

/// A lane's position in a recording.
struct Playhead: BitwiseCopyable {
  enum Mode: UInt8 {
    /// The lane's synth plays the note. No recording is used.
    case off
    /// The lane's synth plays the note, because its commands diverged from those of the recording.
    case diverged
    /// The lane's synth plays the note, and its output is recorded.
    case recording
    /// The recording is played. The note was not sent to the synth.
    case playing

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  }

  var mode = Mode.off
  /// The index of the recording; −1 if the lane uses none.
  var recording = -1
  var chunk: Int32 = -1
  /// The offset in the chunk, in bytes.
  var offset = 0
  /// The gains of the last recorded block; see ``PredictedChannel``.
  var gains = SIMD4<Float>(repeating: 0)

  @_noLocks init() {}

  @_noLocks init(_ mode: Mode, recording: Int, chunk: Int32) {
    self.mode = mode
    self.recording = recording
    self.chunk = chunk
  }

  var isOff: Bool { @_noLocks get { mode == .off } }
  var isRecording: Bool { @_noLocks get { mode == .recording } }
  var isPlaying: Bool { @_noLocks get { mode == .playing } }

  @_noLocks func isAt(_ other: Playhead) -> Bool { chunk == other.chunk && offset == other.offset }
}
