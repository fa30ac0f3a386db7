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
  let recordingOfKind: UnsafeMutablePointer<Int32>
  /// The number of the note that is being planned.
  var currentNote = 0

  let recordings: UnsafeMutablePointer<NoteRecording>
  /// The channel state at the start of each recording.
  let starts: UnsafeMutablePointer<ChannelState>
  let recordingCapacity: Int
  /// The number of recordings that have ever been used; those from this index on are uninitialized.
  var recordingCount = 0

  let memory: Unmanaged<RecordingMemory>
  /// Whether other instruments use `memory` too. If so, ``balanceMemory(frames:notes:)`` must be called
  /// before each cycle.
  let sharesMemory: Bool
  private let chunks: UnsafeMutableRawPointer
  private let links: UnsafeMutablePointer<Int32>
  let free: UnsafeMutablePointer<Int32>
  let freeCount: UnsafeMutablePointer<Atomic<Int>>
  /// The number of chunks allocated to this cache, including free ones.
  var chunkCount = 0
  /// The number of chunks that this cache can expect to have.
  var chunkQuota = 0
  /// The reservations of the current cycle; see ``beginCycle(frames:)``.
  var reservations = ChunkReservations()
  /// The moving average of the note lengths on each MIDI channel, in blocks.
  var typicalBlocks = InlineArray<16, Int>(repeating: 0)

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
  var currentKind: Int { @_noLocks get { currentNote < noteCount ? Int(kinds[currentNote]) : -1 } }

  /// The next note of the current note's kind; −1 if there is none.
  var nextOfKind: Int {
    @_noLocks get { currentNote < noteCount ? Int(nextNotes[currentNote]) : -1 }
  }
}

// Memory, in chunks that are linked into recordings.
extension NoteCache {
  /// The current number of free chunks.
  var freeChunks: Int { @_noLocks get { freeCount.pointee.load(ordering: .relaxed) } }

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
  @_noLocks func addChunk(to recording: Int, after last: Int32) -> Int32 {
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
  @_noLocks func releaseChunks(of recording: Int) {
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
