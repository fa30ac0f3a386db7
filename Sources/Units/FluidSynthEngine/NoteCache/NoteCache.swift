import RenderCore
import Synchronization

/// Recordings of recurring notes, within a memory budget.
///
/// Offline only: it needs the whole timeline, as a ``Recurrence``. A cache hit never changes the output, so the notes
/// that follow may differ from the ``Recurrence``, and cache hits may differ between runs.
///
/// Recordings are started, abandoned and evicted only while a cycle is planned. While lane groups are rendered, in
/// parallel, each lane group appends to the recordings of its own lanes; the only data that lane groups share then is
/// the atomic count of free chunks.
struct NoteCache {
  private let kinds: UnsafeMutablePointer<Int32>
  private let nextNotes: UnsafeMutablePointer<Int32>
  private let noteCount: Int
  /// The index of the recording of each kind of note; −1 if there is none.
  private let recordingOfKind: UnsafeMutablePointer<Int32>
  /// The number of the note that is being planned.
  var currentNote = 0

  let recordings: UnsafeMutablePointer<NoteRecording>
  /// The channel state at the start of each recording.
  let starts: UnsafeMutablePointer<ChannelState>
  private let recordingCapacity: Int
  /// The number of recordings that have ever been used; those from this index on are uninitialized.
  private var recordingCount = 0

  let memory: Unmanaged<RecordingMemory>
  /// Whether other instruments use `memory` too. If so, ``balanceMemory(frames:notes:)`` must be called
  /// before each cycle.
  private let sharesMemory: Bool
  private let chunks: UnsafeMutableRawPointer
  private let links: UnsafeMutablePointer<Int32>
  let free: UnsafeMutablePointer<Int32>
  private let freeCount: UnsafeMutablePointer<Atomic<Int>>
  /// The number of chunks allocated to this cache, including free ones.
  var chunkCount = 0
  /// The number of chunks that this cache can expect to have.
  private var chunkQuota = 0
  /// The reservations of the current cycle; see ``beginCycle(frames:)``.
  private var reservations = ChunkReservations()
  /// The moving average of the note lengths on each MIDI channel, in blocks.
  private var typicalBlocks = InlineArray<16, Int>(repeating: 0)

  var figures = CacheFigures()

  /// The size of a chunk: large enough to waste little at the end of each chunk, and small enough to
  /// waste little at the end of each recording.
  static var chunkBytes: Int { @_noLocks get { 16_384 } }

  /// Creates a cache. ``leaveMemory()`` must be called at the end. Realtime: no.
  ///
  /// - Parameters:
  ///   - recurrence: The recurring notes of the song.
  ///   - memory: The memory for recorded audio.
  ///   - isShared: Whether other instruments use `memory` too. If not, the cache allocates all of it now.
  ///   - renderMemory: The memory for all else.
  init(
    _ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool,
    _ renderMemory: RenderMemory
  ) {
    noteCount = recurrence.kinds.count
    kinds = renderMemory.makeEach(noteCount) { recurrence.kinds[$0] }
    nextNotes = renderMemory.makeEach(noteCount) { recurrence.next[$0] }
    recordingOfKind = renderMemory.make(recurrence.kindCount, of: -1)

    self.memory = Unmanaged.passRetained(memory)
    sharesMemory = isShared
    chunks = memory.chunks
    links = memory.links
    recordingCapacity = min(memory.chunkCount, recurrence.kindCount)
    recordings = renderMemory.make(recordingCapacity, of: NoteRecording())
    starts = renderMemory.reserve(recordingCapacity)
    free = renderMemory.reserve(memory.chunkCount)
    freeCount = renderMemory.make(Atomic(0))
    memory.join()
    if !isShared { fillStore(to: memory.chunkCount) }
  }

  /// Releases all chunks.
  func leaveMemory() {
    for index in 0..<recordingCount { releaseChunks(of: index) }
    memory.takeUnretainedValue().leave(
      with: UnsafeBufferPointer(start: free, count: freeChunks))
    memory.release()
  }
}

// The recurrence of the current note.
extension NoteCache {
  /// The current note's kind; −1 if no other note is of its kind.
  private var currentKind: Int {
    @_noLocks get { currentNote < noteCount ? Int(kinds[currentNote]) : -1 }
  }

  /// The next note of the current note's kind; −1 if there is none.
  private var nextOfKind: Int {
    @_noLocks get { currentNote < noteCount ? Int(nextNotes[currentNote]) : -1 }
  }
}

// Memory, in chunks that are linked into recordings.
extension NoteCache {
  /// The current number of free chunks.
  private var freeChunks: Int { @_noLocks get { freeCount.pointee.load(ordering: .relaxed) } }

  @_noLocks func address(of head: Playhead) -> UnsafeMutableRawPointer {
    chunks + Int(head.chunk) * Self.chunkBytes + head.offset
  }

  /// Returns the chunk after `chunk` in its recording.
  @_noLocks func link(after chunk: Int32) -> Int32 { links[Int(chunk)] }

  /// Appends a free chunk to a recording, after `last`, or as its first chunk if `last` is −1.
  ///
  /// Threads: any lane group's thread, for the recordings that the group writes.
  ///
  /// - Returns: The chunk, or −1 if no chunk is free.
  @_noLocks private func addChunk(to recording: Int, after last: Int32) -> Int32 {
    // No chunk is released while lane groups are rendered, so decrementing the count claims a chunk.
    let left = freeCount.pointee.subtract(1, ordering: .relaxed).newValue
    guard left >= 0 else {
      freeCount.pointee.add(1, ordering: .relaxed)
      return -1
    }
    let chunk = free[left]
    links[Int(chunk)] = -1
    if last >= 0 { links[Int(last)] = chunk } else { recordings[recording].firstChunk = chunk }
    recordings[recording].chunkCount += 1
    return chunk
  }

  /// Releases a recording's chunks. Must not be called while lane groups are rendered.
  @_noLocks private func releaseChunks(of recording: Int) {
    var chunk = recordings[recording].firstChunk
    while chunk >= 0 {
      free[freeChunks] = chunk
      freeCount.pointee.add(1, ordering: .relaxed)
      chunk = links[Int(chunk)]
    }
    recordings[recording].firstChunk = -1
    recordings[recording].chunkCount = 0
  }
}

/// The chunks that are reserved for recordings in progress.
struct ChunkReservations: BitwiseCopyable {
  /// The number of chunks reserved until the end of the cycle.
  var total = 0
  /// The maximum number of chunks that one recording can need in the cycle.
  fileprivate var perRecording = 0
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
  @_noLocks private mutating func reserveMemory(for recording: NoteRecording) -> Bool {
    let pinned = reservations.pinned + recording.expectedChunks
    // One eighth is left for recordings that become longer than expected.
    guard pinned <= chunkQuota - chunkQuota / 8, reserveChunks(before: recording.nextNote)
    else { return false }
    reservations.pinned = pinned
    return true
  }

  /// Returns the approximate number of chunks for a note of `blocks` blocks.
  @_noLocks private func estimatedChunks(ofBlocks blocks: Int) -> Int {
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
  @_noLocks private func freeIfUnused(_ index: Int) {
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

// Writing and reading recordings, on the threads that render lane groups.
extension NoteCache {
  /// Records a command that the lane is about to apply.
  @_noLocks func append(_ action: LaneCommand.Action, at head: inout Playhead) {
    let code = action.code
    guard code != 0, ensureSpace(at: &head) else {
      abandon(&head)
      return
    }
    var record = Record(.command)
    record.command = code
    write(record, at: &head)
  }

  /// Records a block that the lane has rendered.
  ///
  /// - Parameters:
  ///   - source: The first sample of the first channel.
  ///   - stride: The distance between channels, in samples.
  ///   - channels: 2 or 4.
  ///   - voices: The number of voices at the last count.
  ///   - head: The end of the recording; advanced past the block.
  @_noLocks func append(
    _ source: UnsafeMutablePointer<Float>, stride: Int, channels: Int, voices: Int32,
    at head: inout Playhead
  ) {
    guard ensureSpace(at: &head) else {
      abandon(&head)
      return
    }
    let (packing, bytes) = CompressedBlock.pack(
      source, stride: stride, channels: channels, gains: &head.gains,
      to: address(of: head) + Record.headerBytes)
    var record = Record(.block, size: Record.headerBytes + bytes)
    record.packing = packing
    record.voices = UInt8(truncatingIfNeeded: voices)
    write(record, at: &head)
  }

  /// Marks a recording as complete: it reaches the end of its note.
  @_noLocks func finish(_ head: Playhead) {
    recordings[head.recording].progress = .complete
  }

  /// Returns the record at `head`. Advances `head` to the next chunk if the record is there.
  @_noLocks func record(at head: inout Playhead) -> Record {
    let record = address(of: head).load(as: Record.self)
    guard record.kind == .continuation else { return record }
    head.chunk = link(after: head.chunk)
    head.offset = 0
    return address(of: head).load(as: Record.self)
  }

  /// Marks `head` as the end of the recording.
  @_noLocks func end(at head: Playhead) {
    address(of: head).storeBytes(of: Record(.none), as: Record.self)
  }

  /// - Returns: Whether the recording may continue and there is memory for a record.
  @_noLocks private func ensureSpace(at head: inout Playhead) -> Bool {
    // The planning step may have abandoned it.
    guard recordings[head.recording].isInProgress else { return false }
    // Space for the record, and for the header of the record that ends the chunk.
    if head.offset + Record.maximumBytes + Record.headerBytes <= Self.chunkBytes { return true }
    let chunk = addChunk(to: head.recording, after: head.chunk)
    guard chunk >= 0 else { return false }
    address(of: head).storeBytes(of: Record(.continuation), as: Record.self)
    head.chunk = chunk
    head.offset = 0
    end(at: head)
    return true
  }

  /// Writes a record's header and advances `head` past the record.
  @_noLocks private func write(_ record: Record, at head: inout Playhead) {
    address(of: head).storeBytes(of: record, as: Record.self)
    head.offset += Int(record.size)
    end(at: head)
  }

  @_noLocks private func abandon(_ head: inout Playhead) {
    recordings[head.recording].progress = .abandoned
    head.mode = .off
  }
}
