/// What one note gave, from its onset to its end, and what it was told on the way.
///
/// By the onset law the same start and the same commands before the same blocks give the same bits: so
/// a note that agrees with a recording in these may be played from it instead of by a synth. What it
/// gave is in chunks of the ``NoteCache``: a ``Record`` for each command and each block, in order.
struct NoteRecording: BitwiseCopyable {
  /// The kind of notes it is kept for; −1 when it is kept for none any more.
  var kind = -1
  var key: UInt8 = 0
  var velocity: UInt8 = 0
  /// Voices at the onset.
  var voices: Int32 = 0
  var exclusiveClass: Int32 = 0
  /// The revision of the channel that the note began in; its state is in the cache.
  var revision: UInt64 = 0

  /// The next note that it may serve; −1 when there is none.
  var nextNote = -1
  /// Lanes that play it or make it.
  var users = 0
  /// The pool in which it is made. Lanes of that pool may play it meanwhile, for they are rendered
  /// after the one that makes it; those of other pools may not.
  var pool: Int32 = 0
  var progress = Progress.unused

  var firstChunk: Int32 = -1
  var chunkCount = 0
  /// How many chunks it will have, about.
  var expectedChunks = 0

  enum Progress: BitwiseCopyable {
    case unused
    case inTheMaking
    /// To the end of the note.
    case complete
    /// Given up; what there is may still be in use.
    case brokenOff
  }

  @_noLocks init() {}

  var isUnused: Bool { @_noLocks get { if case .unused = progress { true } else { false } } }
  var isInTheMaking: Bool {
    @_noLocks get { if case .inTheMaking = progress { true } else { false } }
  }
  var isComplete: Bool { @_noLocks get { if case .complete = progress { true } else { false } } }
  var isBrokenOff: Bool {
    @_noLocks get { if case .brokenOff = progress { true } else { false } }
  }

  /// Whether it is made and played at the same time.
  var isAwaited: Bool { @_noLocks get { isInTheMaking && users > 1 } }

  /// Chunks that cannot be given back now, and those that will be added.
  var pinnedChunks: Int {
    @_noLocks get {
      if users == 0 { return 0 }
      return isInTheMaking ? max(chunkCount, expectedChunks) : chunkCount
    }
  }
}

/// Where a lane is in a recording.
struct Playhead: BitwiseCopyable {
  enum Mode: BitwiseCopyable {
    /// The lane's synth plays by itself.
    case off
    /// It does so since the note was told what the recorded one was not.
    case strayed
    /// What the synth gives is recorded.
    case recording
    /// The recording is played; the synth knows nothing of the note.
    case playing
  }

  var mode = Mode.off
  /// −1 when the lane uses none.
  var recording = -1
  var chunk: Int32 = -1
  /// Bytes from the chunk's beginning.
  var offset = 0
  /// Those of the last block recorded; see ``DerivedChannel``.
  var gains = SIMD4<Float>(repeating: 0)

  @_noLocks init() {}

  @_noLocks init(_ mode: Mode, recording: Int, chunk: Int32) {
    self.mode = mode
    self.recording = recording
    self.chunk = chunk
  }

  var isOff: Bool { @_noLocks get { if case .off = mode { true } else { false } } }
  var isRecording: Bool { @_noLocks get { if case .recording = mode { true } else { false } } }
  var isPlaying: Bool { @_noLocks get { if case .playing = mode { true } else { false } } }

  @_noLocks func isAt(_ other: Playhead) -> Bool { chunk == other.chunk && offset == other.offset }
}
