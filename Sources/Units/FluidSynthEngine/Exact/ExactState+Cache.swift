// Notes that come again: played from a recording, or recorded for those that will come.
extension ExactState {
  /// Tells the cache which note is being started, in the order of the song.
  @_noLocks func announceNote() {
    cache?.pointee.presentNote = statistics.notes - 1
  }

  /// Lets a recording, if there is one, play the note that begins in a lane.
  @_noLocks func playRecording(in lane: UnsafeMutablePointer<Lane>, velocity: UInt8) -> Bool {
    guard let cache, let head = cache.pointee.play(onset(in: lane, velocity: velocity)) else {
      return false
    }
    lane.pointee.head = head
    lane.pointee.voices = cache.pointee.recordings[head.recording].voices
    lane.pointee.exclusiveClass = cache.pointee.recordings[head.recording].exclusiveClass
    return true
  }

  /// Records the note that a lane's synth has just begun, if it will come again.
  @_noLocks func record(_ lane: UnsafeMutablePointer<Lane>, velocity: UInt8) {
    guard let cache, lane.pointee.head.isOff,
      let head = cache.pointee.record(
        onset(in: lane, velocity: velocity), voices: lane.pointee.voices,
        exclusiveClass: lane.pointee.exclusiveClass, channel: lane.pointee.channel)
    else { return }
    lane.pointee.head = head
  }

  @_noLocks private func onset(in lane: UnsafeMutablePointer<Lane>, velocity: UInt8) -> Onset {
    let channel = channels + Int(lane.pointee.channel)
    return Onset(
      key: lane.pointee.key, velocity: velocity, state: channel.pointee.state,
      revision: channel.pointee.revision, pool: lane.pointee.pool)
  }

  /// Keeps recordings from now on. Before the first cycle, and not realtime.
  mutating func keepRecordings(
    _ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool
  ) {
    let cache = UnsafeMutablePointer<NoteCache>.allocate(capacity: 1)
    cache.initialize(to: NoteCache(recurrence, in: memory, isShared: isShared))
    self.cache = cache
    for pool in 0..<poolCount { pools[pool].cache = cache }
  }
}
