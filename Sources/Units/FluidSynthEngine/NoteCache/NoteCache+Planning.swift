// While a cycle is planned: decides which notes are played from recordings and which are recorded.
extension NoteCache {
  /// The lane group in which the current note must be played to use a recording that is still in progress;
  /// −1 when any lane group will do.
  var requiredGroup: Int32 {
    @_noLocks get {
      guard let index = currentRecording else { return -1 }
      return recordings[index].isInProgress ? recordings[index].group : -1
    }
  }

  /// The index of the recording of the current note's kind.
  private var currentRecording: Int? {
    @_noLocks get {
      guard currentKind >= 0, recordingOfKind[currentKind] >= 0 else { return nil }
      return Int(recordingOfKind[currentKind])
    }
  }

  /// Starts playing the current note from the recording of its kind.
  ///
  /// - Returns: `nil` unless there is a recording of the same key, velocity and channel state that can
  ///   be played in this lane group.
  @_noLocks mutating func play(_ onset: Onset) -> Playhead? {
    guard let index = currentRecording else { return nil }
    let recording = recordings + index
    recording.pointee.nextNote = nextOfKind
    guard recording.pointee.key == onset.key, recording.pointee.velocity == onset.velocity,
      recording.pointee.progress == .complete || recording.pointee.group == onset.group,
      onset.channel.pointee.state.sounds(like: starts + index, key: onset.key)
    else {
      freeIfUnused(index)
      return nil
    }
    recording.pointee.users += 1
    return Playhead(.playing, recording: index, chunk: recording.pointee.firstChunk)
  }

  /// Starts recording the current note, if notes of its kind will follow and there is memory.
  ///
  /// - Parameters:
  ///   - onset: The start of the note.
  ///   - voices: The number of voices at the onset.
  ///   - exclusiveClass: The exclusive class of the note.
  ///   - channel: The note's MIDI channel, 0…15.
  @_noLocks mutating func record(
    _ onset: Onset, voices: Int32, exclusiveClass: Int32, channel: UInt8
  ) -> Playhead? {
    guard nextOfKind >= 0, currentRecording == nil, onset.channel.pointee.state.tuning == 0 else {
      return nil
    }
    let index = unusedRecording
    guard index < recordingCapacity else { return nil }
    var recording = NoteRecording()
    recording.nextNote = nextOfKind
    recording.expectedChunks = estimatedChunks(ofBlocks: typicalBlocks[Int(channel)])
    recording.progress = .inProgress
    recording.users = 1
    guard reserveMemory(for: recording) else { return nil }
    recording.kind = currentKind
    recording.key = onset.key
    recording.velocity = onset.velocity
    recording.voices = voices
    recording.exclusiveClass = exclusiveClass
    recording.group = onset.group
    recordings[index] = recording
    recordingCount = max(recordingCount, index + 1)
    let chunk = addChunk(to: index, after: -1)
    guard chunk >= 0 else {
      recordings[index] = NoteRecording()
      return nil
    }
    recordingOfKind[currentKind] = Int32(index)
    (starts + index).initialize(to: onset.channel.pointee.state)
    let head = Playhead(.recording, recording: index, chunk: chunk)
    end(at: head)
    return head
  }

  /// Releases the recording that a lane used. Call it when the lane's note has ended.
  ///
  /// - Parameters:
  ///   - head: The lane's position in the recording.
  ///   - blocks: The length of the note, in blocks.
  ///   - channel: The note's MIDI channel, 0…15.
  @_noLocks mutating func release(_ head: Playhead, blocks: Int, channel: UInt8) {
    figures.count(head.mode, blocks: blocks)
    typicalBlocks[Int(channel)] += (blocks - typicalBlocks[Int(channel)]) / 8
    guard head.recording >= 0 else { return }
    recordings[head.recording].users -= 1
    freeIfUnused(head.recording)
  }

  private var unusedRecording: Int {
    @_noLocks get {
      for index in 0..<recordingCount where recordings[index].progress == .unused { return index }
      return recordingCount
    }
  }
}

/// The start of a note: the inputs that determine its sound, and its lane group.
struct Onset {
  var key: UInt8
  var velocity: UInt8
  var channel: UnsafeMutablePointer<Channel>
  var group: Int32

  @_noLocks init(
    key: UInt8, velocity: UInt8, channel: UnsafeMutablePointer<Channel>, group: Int32
  ) {
    self.key = key
    self.velocity = velocity
    self.channel = channel
    self.group = group
  }
}
