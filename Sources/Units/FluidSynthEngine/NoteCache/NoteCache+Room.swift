import Synchronization

/// The chunks that recordings in the making may count on.
struct ChunkPromises: BitwiseCopyable {
  /// Promised until the end of the cycle.
  var given = 0
  /// What one recording may need in the cycle.
  var each = 0
  /// Chunks of the recordings in use, with those that they are expected to come to need.
  var pinned = 0

  @_noLocks init() {}
}

// What is kept when memory is short: what is needed soonest. It is all there is to decide by, for
// every byte saves about the same work.
extension NoteCache {
  /// Begins a cycle: sees to it that recordings in the making find the memory they may need.
  @_noLocks mutating func beginCycle(frames: Int) {
    figures.mostBytes = max(
      figures.mostBytes, (chunkCount - freeChunks) * Self.chunkBytes)
    promises = ChunkPromises()
    promises.each = mostChunks(ofFrames: frames)
    for index in 0..<recordingCount { promises.pinned += recordings[index].pinnedChunks }
    // First those that are played already: breaking off would cost more than was gained.
    for index in 0..<recordingCount where recordings[index].isAwaited {
      _ = promiseChunks(before: -1)
    }
    for index in 0..<recordingCount
    where recordings[index].isInTheMaking && !recordings[index].isAwaited {
      if !promiseChunks(before: recordings[index].nextNote) { breakOff(index) }
    }
  }

  /// Makes room for a recording that is to be begun, if all that are in use can then be brought to
  /// their ends.
  @_noLocks mutating func makeRoom(for recording: NoteRecording) -> Bool {
    let pinned = promises.pinned + recording.expectedChunks
    // An eighth is left for those that turn out longer.
    guard pinned <= chunkReach - chunkReach / 8, promiseChunks(before: recording.nextNote)
    else { return false }
    promises.pinned = pinned
    return true
  }

  /// How many chunks a note of so many blocks takes, about.
  @_noLocks func chunks(ofBlocks blocks: Int) -> Int {
    blocks * Record.usualBytes / Self.chunkBytes + 1
  }

  /// How many chunks one recording may come to need in so many frames.
  @_noLocks private func mostChunks(ofFrames frames: Int) -> Int {
    let bytes = (frames / Lane.blockFrames + 1) * Record.mostBytes
    return bytes / (Self.chunkBytes - Record.mostBytes) + 1
  }

  /// Sets chunks aside for one recording and one cycle, throwing away those that are needed after
  /// `note`, the last needed first.
  @_noLocks private mutating func promiseChunks(before note: Int) -> Bool {
    while freeChunks < promises.given + promises.each {
      let victim = victim(after: note)
      guard victim >= 0 else { return false }
      figures.evictedRecordings += 1
      breakOff(victim)
    }
    promises.given += promises.each
    return true
  }

  /// The recording that nobody plays and whose next note is furthest, if that is after `note`.
  @_noLocks private func victim(after note: Int) -> Int {
    var victim = -1
    var furthest = note
    for index in 0..<recordingCount {
      let recording = recordings + index
      let makers = recording.pointee.isInTheMaking ? 1 : 0
      guard recording.pointee.firstChunk >= 0, recording.pointee.users == makers else { continue }
      // One whose note has passed without asking for it may never be asked for.
      let next = recording.pointee.nextNote < presentNote ? .max : recording.pointee.nextNote
      guard next > furthest else { continue }
      furthest = next
      victim = index
    }
    return victim
  }

  /// Gives a recording up. What it held is free when nobody plays it any more.
  @_noLocks private func breakOff(_ index: Int) {
    let recording = recordings + index
    forget(index)
    if recording.pointee.isInTheMaking {
      recording.pointee.progress = .brokenOff
      if recording.pointee.users == 1 { giveBackChunks(of: index) }
    }
    dropIfUseless(index)
  }

  /// Frees a recording that nobody uses or will use.
  @_noLocks func dropIfUseless(_ index: Int) {
    let recording = recordings + index
    if recording.pointee.isBrokenOff || recording.pointee.nextNote < 0 { forget(index) }
    guard recording.pointee.users == 0, recording.pointee.kind < 0 else { return }
    giveBackChunks(of: index)
    recording.pointee.progress = .unused
  }

  /// Takes a recording from its kind: no further note will be played from it.
  @_noLocks private func forget(_ index: Int) {
    if recordings[index].kind >= 0 { recordingOfKind[recordings[index].kind] = -1 }
    recordings[index].kind = -1
  }
}

// Memory that other instruments use too.
extension NoteCache {
  /// Before a cycle: takes what its recordings may need, gives back what they do not, and gives up
  /// what others need more. Realtime: no, it locks.
  ///
  /// - Parameter notes: How many may begin to be recorded.
  mutating func balanceMemory(frames: Int, notes: Int) {
    guard sharesMemory else { return }
    var makers = 0
    for index in 0..<recordingCount where recordings[index].isInTheMaking { makers += 1 }
    let needed = (makers + notes) * mostChunks(ofFrames: frames)
    let excess = fillStore(to: needed)
    guard excess > 0 else { return }
    while freeChunks < needed + excess, case let victim = victim(after: presentNote), victim >= 0 {
      figures.evictedRecordings += 1
      breakOff(victim)
    }
    fillStore(to: needed)
  }

  /// - Returns: How many chunks it should give up.
  @discardableResult mutating func fillStore(to needed: Int) -> Int {
    let count = freeChunks
    let balance = memory.takeUnretainedValue().balance(
      free, count: count, needed: needed, used: chunkCount - count)
    chunkCount += balance.count - count
    chunkReach = balance.reach
    freeCount.pointee.store(balance.count, ordering: .relaxed)
    return balance.excess
  }
}
