// Which notes are played from recordings, and which are recorded: decided while a cycle is planned.
extension NoteCache {
  /// The pool that the present note must be played in to have a recording that is still being made;
  /// −1 when any will do.
  var presentPool: Int32 {
    @_noLocks get {
      guard let index = presentRecording else { return -1 }
      return recordings[index].isInTheMaking ? recordings[index].pool : -1
    }
  }

  /// The recording of the present note's kind.
  private var presentRecording: Int? {
    @_noLocks get {
      guard presentKind >= 0, recordingOfKind[presentKind] >= 0 else { return nil }
      return Int(recordingOfKind[presentKind])
    }
  }

  /// Lets the present note be played from its kind's recording, if that is of the same key, velocity
  /// and channel state, and can be played in this pool.
  @_noLocks mutating func play(_ onset: Onset) -> Playhead? {
    guard let index = presentRecording else { return nil }
    let recording = recordings + index
    recording.pointee.nextNote = nextOfKind
    guard recording.pointee.key == onset.key, recording.pointee.velocity == onset.velocity,
      recording.pointee.isComplete || recording.pointee.pool == onset.pool,
      onset.state.pointee.sounds(like: starts + index, key: onset.key)
    else {
      dropIfUseless(index)
      return nil
    }
    recording.pointee.users += 1
    return Playhead(.playing, recording: index, chunk: recording.pointee.firstChunk)
  }

  /// Begins to record the present note, if others of its kind will come and there is room.
  ///
  /// - Parameters:
  ///   - voices: At the onset.
  ///   - channel: Its MIDI channel.
  @_noLocks mutating func record(
    _ onset: Onset, voices: Int32, exclusiveClass: Int32, channel: UInt8
  ) -> Playhead? {
    guard nextOfKind >= 0, presentRecording == nil, onset.state.pointee.tuning == 0 else {
      return nil
    }
    let index = unusedRecording
    guard index < recordingCapacity else { return nil }
    var recording = NoteRecording()
    recording.nextNote = nextOfKind
    recording.expectedChunks = chunks(ofBlocks: usualBlocks[Int(channel)])
    recording.progress = .inTheMaking
    recording.users = 1
    guard makeRoom(for: recording) else { return nil }
    recording.kind = presentKind
    recording.key = onset.key
    recording.velocity = onset.velocity
    recording.voices = voices
    recording.exclusiveClass = exclusiveClass
    recording.revision = onset.revision
    recording.pool = onset.pool
    recordings[index] = recording
    recordingCount = max(recordingCount, index + 1)
    let chunk = addChunk(to: index, after: -1)
    guard chunk >= 0 else {
      recordings[index] = NoteRecording()
      return nil
    }
    recordingOfKind[presentKind] = Int32(index)
    (starts + index).initialize(to: onset.state.pointee)
    let head = Playhead(.recording, recording: index, chunk: chunk)
    end(at: head)
    return head
  }

  /// Lets go of the recording that a lane used, for the lane's note has ended.
  ///
  /// - Parameters:
  ///   - blocks: How long the note was.
  ///   - channel: Its MIDI channel.
  @_noLocks mutating func release(_ head: Playhead, blocks: Int, channel: UInt8) {
    figures.count(head.mode, blocks: blocks)
    usualBlocks[Int(channel)] += (blocks - usualBlocks[Int(channel)]) / 8
    guard head.recording >= 0 else { return }
    recordings[head.recording].users -= 1
    dropIfUseless(head.recording)
  }

  private var unusedRecording: Int {
    @_noLocks get {
      for index in 0..<recordingCount where recordings[index].isUnused { return index }
      return recordingCount
    }
  }
}

/// How a note begins: what its sound depends on, and where.
struct Onset {
  var key: UInt8
  var velocity: UInt8
  var state: UnsafeMutablePointer<ChannelState>
  /// The channel's, which stands for `state`.
  var revision: UInt64
  var pool: Int32

  @_noLocks init(
    key: UInt8, velocity: UInt8, state: UnsafeMutablePointer<ChannelState>, revision: UInt64,
    pool: Int32
  ) {
    self.key = key
    self.velocity = velocity
    self.state = state
    self.revision = revision
    self.pool = pool
  }
}
