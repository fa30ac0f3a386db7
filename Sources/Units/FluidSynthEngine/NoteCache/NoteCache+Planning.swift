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

  /// Starts playing the current note, which begins in `lane`, from the recording of its kind.
  ///
  /// - Returns: `nil` unless there is a recording of the same key, velocity and channel state that can
  ///   be played in this lane group.
  @_noLocks mutating func play(
    _ lane: UnsafeMutablePointer<Lane>, velocity: UInt8, _ channel: UnsafeMutablePointer<Channel>
  ) -> Playhead? {
    guard let index = currentRecording else { return nil }
    let recording = recordings + index
    recording.pointee.nextNote = nextOfKind
    guard recording.pointee.key == lane.pointee.key, recording.pointee.velocity == velocity,
      recording.pointee.progress == .complete || recording.pointee.group == lane.pointee.group,
      channel.pointee.state.sounds(like: starts + index, key: lane.pointee.key)
    else {
      freeIfUnused(index)
      return nil
    }
    recording.pointee.users += 1
    return Playhead(.playing, recording: index, chunk: recording.pointee.firstChunk)
  }

  /// Starts recording the current note, which has begun in `lane`, if notes of its kind will follow and there
  /// is memory.
  @_noLocks mutating func record(
    _ lane: UnsafeMutablePointer<Lane>, velocity: UInt8, _ channel: UnsafeMutablePointer<Channel>
  ) -> Playhead? {
    guard nextOfKind >= 0, currentRecording == nil, channel.pointee.state.tuning == 0 else {
      return nil
    }
    let index = unusedRecording
    guard index < recordingCapacity else { return nil }
    var recording = NoteRecording()
    recording.nextNote = nextOfKind
    recording.expectedChunks = estimatedChunks(
      ofBlocks: typicalBlocks[Int(lane.pointee.channel)])
    recording.progress = .inProgress
    recording.users = 1
    guard reserveMemory(for: recording) else { return nil }
    recording.kind = currentKind
    recording.key = lane.pointee.key
    recording.velocity = velocity
    recording.voices = lane.pointee.voices
    recording.classes = lane.pointee.classes
    recording.group = lane.pointee.group
    recordings[index] = recording
    recordingCount = max(recordingCount, index + 1)
    let chunk = addChunk(to: index, after: -1)
    guard chunk >= 0 else {
      recordings[index] = NoteRecording()
      return nil
    }
    recordingOfKind[currentKind] = Int32(index)
    (starts + index).initialize(to: channel.pointee.state)
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
