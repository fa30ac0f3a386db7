import RenderCore

// Recurring notes: recorded, and played from recordings.
extension ExactState {
  /// Sets the note that the cache refers to: the index of the note being started, in the order of the song.
  @_noLocks func announceNote() {
    cache?.pointee.currentNote = statistics.notes - 1
  }

  /// Makes the note being started, a further one of the same note-on, use no recording.
  @_noLocks mutating func announceFurtherNote() {
    cache?.pointee.currentNote = .max
    log?.beginUnlogged()
  }

  /// Plays the note that begins in a lane from a recording.
  ///
  /// - Returns: `false` if there is no recording of the note.
  @_noLocks func playRecording(in lane: UnsafeMutablePointer<Lane>, velocity: UInt8) -> Bool {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, let head = cache.pointee.play(lane, velocity: velocity, channel) else {
      return false
    }
    lane.pointee.head = head
    lane.pointee.voices = cache.pointee.recordings[head.recording].voices
    lane.pointee.classes = cache.pointee.recordings[head.recording].classes
    return true
  }

  /// Records the note that a lane's synth has just started, if the note will recur.
  @_noLocks func record(_ lane: UnsafeMutablePointer<Lane>, velocity: UInt8) {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, lane.pointee.head.isOff,
      let head = cache.pointee.record(lane, velocity: velocity, channel)
    else { return }
    lane.pointee.head = head
  }

  /// Enables the note cache. Must be called before the first cycle. Realtime: no.
  mutating func keepRecordings(
    _ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool,
    _ renderMemory: RenderMemory
  ) {
    let cache = renderMemory.make(
      NoteCache(recurrence, in: memory, isShared: isShared, renderMemory))
    renderMemory.onRelease { cache.pointee.leaveMemory() }
    self.cache = cache
    for group in 0..<groupCount { groups[group].cache = cache }
  }
}
