import Synchronization

/// Recordings of notes that come again, within a budget of memory.
///
/// Offline only, for it wants to know the future: a ``Recurrence``. Whom it serves never shows in the
/// sound, so the future need not come as foreseen, and no two runs need be alike.
///
/// Recordings are begun, given up and thrown away while a cycle is planned, and then only. While pools
/// are rendered, side by side, each adds to the recordings of its own lanes; what they share then
/// is the count of free chunks.
struct NoteCache {
  private let kinds: UnsafeMutablePointer<Int32>
  private let nextNotes: UnsafeMutablePointer<Int32>
  private let noteCount: Int
  /// For each kind of notes its recording; −1 where there is none.
  let recordingOfKind: UnsafeMutablePointer<Int32>
  /// The note that is being planned.
  var presentNote = 0

  let recordings: UnsafeMutablePointer<NoteRecording>
  /// What the channel was told when the note of each recording began.
  let starts: UnsafeMutablePointer<ChannelState>
  let recordingCapacity: Int
  /// Recordings from here on were never used.
  var recordingCount = 0

  let memory: Unmanaged<RecordingMemory>
  /// Whether others use the memory too: ``balanceMemory(frames:notes:)`` is called before each cycle.
  let sharesMemory: Bool
  private let chunks: UnsafeMutableRawPointer
  private let links: UnsafeMutablePointer<Int32>
  let free: UnsafeMutablePointer<Int32>
  let freeCount: UnsafeMutablePointer<Atomic<Int>>
  /// Chunks that it has been given, free ones included.
  var chunkCount = 0
  /// Chunks that it may count on.
  var chunkReach = 0
  /// See ``beginCycle(frames:)``.
  var promises = ChunkPromises()
  /// How long the notes of each MIDI channel are, usually, in blocks.
  var usualBlocks = InlineArray<16, Int>(repeating: 0)

  var figures = CacheFigures()

  /// Large enough for little to be left over at the end of one, and small enough for little to be
  /// left over at the end of a recording.
  static var chunkBytes: Int { @_noLocks get { 16_384 } }

  /// Realtime: no, it allocates.
  ///
  /// - Parameters:
  ///   - memory: For sound.
  ///   - isShared: Whether others use it too; if not, it takes all at once.
  init(_ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool) {
    noteCount = recurrence.kinds.count
    kinds = .allocate(capacity: noteCount)
    kinds.initialize(from: recurrence.kinds, count: noteCount)
    nextNotes = .allocate(capacity: noteCount)
    nextNotes.initialize(from: recurrence.next, count: noteCount)
    recordingOfKind = .allocate(capacity: recurrence.kindCount)
    recordingOfKind.initialize(repeating: -1, count: recurrence.kindCount)

    self.memory = Unmanaged.passRetained(memory)
    sharesMemory = isShared
    chunks = memory.chunks
    links = memory.links
    recordingCapacity = min(memory.chunkCount, recurrence.kindCount)
    recordings = .allocate(capacity: recordingCapacity)
    recordings.initialize(repeating: NoteRecording(), count: recordingCapacity)
    // Left as they come, here and below: what is never used takes no memory.
    starts = .allocate(capacity: recordingCapacity)
    free = .allocate(capacity: memory.chunkCount)
    freeCount = .allocate(capacity: 1)
    freeCount.initialize(to: Atomic(0))
    memory.join()
    if !isShared { fillStore(to: memory.chunkCount) }
  }

  func destroy() {
    kinds.deallocate()
    nextNotes.deallocate()
    recordingOfKind.deallocate()
    starts.deallocate()
    for index in 0..<recordingCount { giveBackChunks(of: index) }
    memory.takeUnretainedValue().leave(
      with: UnsafeBufferPointer(start: free, count: freeChunks))
    memory.release()
    recordings.deallocate()
    free.deallocate()
    freeCount.deinitialize(count: 1)
    freeCount.deallocate()
  }
}

// What is to come.
extension NoteCache {
  /// The number of the present note's kind; −1 where there is no other of its kind.
  var presentKind: Int { @_noLocks get { presentNote < noteCount ? Int(kinds[presentNote]) : -1 } }

  /// The next note of the present one's kind; −1 where there is none.
  var nextOfKind: Int {
    @_noLocks get { presentNote < noteCount ? Int(nextNotes[presentNote]) : -1 }
  }
}

// Memory, in chunks that are chained to recordings.
extension NoteCache {
  /// How many chunks are free, as of now.
  var freeChunks: Int { @_noLocks get { freeCount.pointee.load(ordering: .relaxed) } }

  @_noLocks func place(_ head: Playhead) -> UnsafeMutableRawPointer {
    chunks + Int(head.chunk) * Self.chunkBytes + head.offset
  }

  /// The chunk after `chunk` in its recording.
  @_noLocks func link(after chunk: Int32) -> Int32 { links[Int(chunk)] }

  /// Adds a free chunk to a recording, after `last`, or as its first where `last` is −1. On any pool's
  /// thread, each for the recordings that it makes.
  ///
  /// - Returns: The chunk, or −1 where none is left.
  @_noLocks func addChunk(to recording: Int, after last: Int32) -> Int32 {
    // While pools are rendered none is given back, so the count alone says whose a chunk is.
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

  /// Gives a recording's chunks back. Not while pools are rendered.
  @_noLocks func giveBackChunks(of recording: Int) {
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
