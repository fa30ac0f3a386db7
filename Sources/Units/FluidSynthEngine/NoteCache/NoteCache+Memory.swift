import Synchronization

/// The chunks that are reserved for recordings in progress.
struct ChunkReservations: BitwiseCopyable {
  /// The number of chunks reserved until the end of the cycle.
  var total = 0
  /// The maximum number of chunks that one recording can need in the cycle.
  var perRecording = 0
  /// The number of chunks of the recordings in use, including those that they are expected to need.
  var pinned = 0

  @_noLocks init() {}
}

// Eviction. When memory is short, the recordings that are needed soonest are kept. No other criterion
// is used, because each byte of a recording saves about the same amount of work.
extension NoteCache {
  /// Starts a cycle: reserves the memory that recordings in progress may need.
  @_noLocks mutating func beginCycle(frames: Int) {
    figures.peakBytes = max(
      figures.peakBytes, (chunkCount - freeChunks) * Self.chunkBytes)
    reservations = ChunkReservations()
    reservations.perRecording = maximumChunks(ofFrames: frames)
    for index in 0..<recordingCount { reservations.pinned += recordings[index].pinnedChunks }
    // First the recordings that are already being played: abandoning one would cost more than it saved.
    for index in 0..<recordingCount where recordings[index].isPlayedWhileRecorded {
      _ = reserveChunks(before: -1)
    }
    for index in 0..<recordingCount
    where recordings[index].isInProgress && !recordings[index].isPlayedWhileRecorded {
      if !reserveChunks(before: recordings[index].nextNote) { abandon(index) }
    }
  }

  /// Reserves memory for a new recording, provided that all recordings in use can still be completed.
  @_noLocks mutating func reserveMemory(for recording: NoteRecording) -> Bool {
    let pinned = reservations.pinned + recording.expectedChunks
    // One eighth is left for recordings that become longer than expected.
    guard pinned <= chunkQuota - chunkQuota / 8, reserveChunks(before: recording.nextNote)
    else { return false }
    reservations.pinned = pinned
    return true
  }

  /// Returns the approximate number of chunks for a note of `blocks` blocks.
  @_noLocks func estimatedChunks(ofBlocks blocks: Int) -> Int {
    blocks * Record.typicalBytes / Self.chunkBytes + 1
  }

  /// Returns the maximum number of chunks that one recording can need in `frames` frames.
  @_noLocks private func maximumChunks(ofFrames frames: Int) -> Int {
    let bytes = (frames / Lane.blockFrames + 1) * Record.maximumBytes
    return bytes / (Self.chunkBytes - Record.maximumBytes) + 1
  }

  /// Reserves the chunks that one recording may need in this cycle.
  ///
  /// Evicts recordings that are next needed after `note`, the furthest first.
  ///
  /// - Returns: Whether there is enough memory.
  @_noLocks private mutating func reserveChunks(before note: Int) -> Bool {
    while freeChunks < reservations.total + reservations.perRecording {
      let victim = victim(after: note)
      guard victim >= 0 else { return false }
      figures.evictedRecordings += 1
      abandon(victim)
    }
    reservations.total += reservations.perRecording
    return true
  }

  /// Returns the unplayed recording whose next note is furthest in the future, if that is after `note`; otherwise −1.
  @_noLocks private func victim(after note: Int) -> Int {
    var victim = -1
    var furthest = note
    for index in 0..<recordingCount {
      let recording = recordings + index
      let writers = recording.pointee.isInProgress ? 1 : 0
      guard recording.pointee.firstChunk >= 0, recording.pointee.users == writers else { continue }
      // If its next note has passed without using it, the recording may never be used.
      let next = recording.pointee.nextNote < currentNote ? .max : recording.pointee.nextNote
      guard next > furthest else { continue }
      furthest = next
      victim = index
    }
    return victim
  }

  /// Abandons a recording. Its chunks are freed when no lane plays it any more.
  @_noLocks private func abandon(_ index: Int) {
    let recording = recordings + index
    detach(index)
    if recording.pointee.isInProgress {
      recording.pointee.progress = .abandoned
      if recording.pointee.users == 1 { releaseChunks(of: index) }
    }
    freeIfUnused(index)
  }

  /// Frees a recording that no lane uses or will use.
  @_noLocks func freeIfUnused(_ index: Int) {
    let recording = recordings + index
    if recording.pointee.progress == .abandoned || recording.pointee.nextNote < 0 { detach(index) }
    guard recording.pointee.users == 0, recording.pointee.kind < 0 else { return }
    releaseChunks(of: index)
    recording.pointee.progress = .unused
  }

  /// Removes a recording from its kind, so that no further note is played from it.
  @_noLocks private func detach(_ index: Int) {
    if recordings[index].kind >= 0 { recordingOfKind[recordings[index].kind] = -1 }
    recordings[index].kind = -1
  }
}

// Memory that is shared with other instruments.
extension NoteCache {
  /// Acquires the chunks that the next cycle may need, and releases the others.
  ///
  /// Evicts recordings when this instrument has more than its share and other instruments need memory.
  /// Call it before each cycle.
  ///
  /// Realtime: no, it locks.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - notes: The maximum number of notes whose recording starts in the cycle.
  mutating func balanceMemory(frames: Int, notes: Int) {
    guard sharesMemory else { return }
    var writers = 0
    for index in 0..<recordingCount where recordings[index].isInProgress { writers += 1 }
    let needed = (writers + notes) * maximumChunks(ofFrames: frames)
    let excess = fillStore(to: needed)
    guard excess > 0 else { return }
    while freeChunks < needed + excess, case let victim = victim(after: currentNote), victim >= 0 {
      figures.evictedRecordings += 1
      abandon(victim)
    }
    fillStore(to: needed)
  }

  /// Balances the store of free chunks to `needed` chunks.
  ///
  /// - Returns: The number of chunks that the instrument should release.
  @discardableResult mutating func fillStore(to needed: Int) -> Int {
    let count = freeChunks
    let balance = memory.takeUnretainedValue().balance(
      free, count: count, needed: needed, used: chunkCount - count)
    chunkCount += balance.count - count
    chunkQuota = balance.quota
    freeCount.pointee.store(balance.count, ordering: .relaxed)
    return balance.excess
  }
}
