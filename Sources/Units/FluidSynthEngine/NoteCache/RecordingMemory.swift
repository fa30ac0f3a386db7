import Glibc
import Synchronization

/// Memory for recordings of notes, with one budget for all instruments that share it.
///
/// The memory is allocated in chunks. Before each cycle an instrument acquires the chunks that it needs
/// for the cycle and releases those that it does not need, so a song with few recurring notes leaves its
/// share to the others. When no chunk is left, an instrument that has less than an equal share makes
/// the instruments that have more release theirs. Chunks that are never used take no memory.
///
/// A part of the budget can be lent for allocations made elsewhere. As many bytes are then not
/// allocated here; if they are allocated already, they are reclaimed when they are no longer in use.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: a chunk and its link belong to the instrument that acquired the chunk; the
/// rest is guarded by the mutex.
public final class RecordingMemory: @unchecked Sendable {
  let chunks: UnsafeMutableRawPointer
  /// The next chunk of the same recording, for each chunk.
  let links: UnsafeMutablePointer<Int32>
  let chunkCount: Int

  private struct State {
    /// Free chunks that have been used and still take memory; the last released one is on top.
    var free: [Int32] = []
    /// Free chunks that take no memory.
    var untouched: [Int32]
    var users = 0
    /// The number of bytes that are lent.
    var lent = 0
    /// The unsatisfied demand, in chunks, since an instrument was last asked to release chunks.
    var missing = 0

    var unused: Int { free.count + untouched.count }
  }
  private let state: Mutex<State>
  /// Whether no page holds more than one chunk. Pages can have 64 kB.
  private let hasOwnPages: Bool

  /// - Parameter bytes: The maximum size of all recordings.
  public convenience init(bytes: Int) { self.init(bytes: bytes, pageBytes: Int(getpagesize())) }

  /// - Parameter pageBytes: The size of the system's pages.
  init(bytes: Int, pageBytes: Int) {
    hasOwnPages = NoteCache.chunkBytes.isMultiple(of: pageBytes)
    chunkCount = bytes / NoteCache.chunkBytes
    chunks = .allocate(
      byteCount: chunkCount * NoteCache.chunkBytes, alignment: NoteCache.chunkBytes)
    links = .allocate(capacity: chunkCount)
    state = Mutex(State(untouched: (0..<Int32(chunkCount)).reversed()))
  }

  deinit {
    chunks.deallocate()
    links.deallocate()
  }

  func address(of chunk: Int32) -> UnsafeMutableRawPointer {
    chunks + Int(chunk) * NoteCache.chunkBytes
  }

  /// Registers an instrument. ``leave(with:)`` must follow.
  func join() { state.withLock { $0.users += 1 } }

  /// Unregisters an instrument and releases its chunks.
  func leave(with chunks: UnsafeBufferPointer<Int32>) {
    state.withLock { state in
      state.users -= 1
      state.free.append(contentsOf: chunks)
      releaseExcess(&state)
    }
  }

  /// Lends a part of the budget.
  ///
  /// - Parameter bytes: The number of bytes to lend; negative to return lent bytes.
  func lend(_ bytes: Int) {
    state.withLock { state in
      state.lent += bytes
      releaseExcess(&state)
    }
  }

  /// The number of bytes that are lent.
  var lentBytes: Int { state.withLock { $0.lent } }

  /// The result of ``balance(_:count:needed:used:)``, in chunks.
  struct Balance {
    /// The number of free chunks in the store.
    var count: Int
    /// The number that the instrument should release, because others have less or the budget has shrunk.
    var excess: Int
    /// The total number of chunks that the instrument can expect to have.
    var quota: Int
  }

  /// Fills or empties an instrument's store of free chunks to `needed` chunks, as far as there are any.
  ///
  /// - Parameters:
  ///   - store: The instrument's free chunks; only the first `count` are valid.
  ///   - count: The number of chunks in the store.
  ///   - needed: The number of chunks that should be in the store.
  ///   - used: The number of chunks that the instrument has besides those in the store.
  func balance(
    _ store: UnsafeMutablePointer<Int32>, count: Int, needed: Int, used: Int
  ) -> Balance {
    state.withLock { state in
      var count = count
      while count > needed {
        count -= 1
        state.free.append(store[count])
      }
      releaseExcess(&state)
      while count < needed, let chunk = popUnusedChunk(&state) {
        store[count] = chunk
        count += 1
      }
      let limit = limit(state)
      let given = chunkCount - state.unused
      let share = limit / max(state.users, 1)
      let owned = used + count
      state.missing = max(state.missing, min(needed - count, share - owned))
      let excess = max(0, min(max(state.missing, given - limit), owned - share))
      state.missing = max(0, state.missing - excess)
      let quota = max(share, owned + (limit - given) / max(state.users, 1))
      return Balance(count: count, excess: excess, quota: quota)
    }
  }

  /// Returns the number of chunks that may take memory, allocated or free.
  private func limit(_ state: State) -> Int {
    max(0, chunkCount - (state.lent + NoteCache.chunkBytes - 1) / NoteCache.chunkBytes)
  }

  private func popUnusedChunk(_ state: inout State) -> Int32? {
    guard chunkCount - state.unused < limit(state) else { return nil }
    return state.free.popLast() ?? state.untouched.popLast()
  }

  /// Returns the memory of free chunks to the system until the limit is met or no free chunk is left. Chunks that share a page
  /// are only counted, because the others on it may be in use.
  private func releaseExcess(_ state: inout State) {
    let limit = limit(state)
    while chunkCount - state.untouched.count > limit, let chunk = state.free.popLast() {
      if hasOwnPages { madvise(address(of: chunk), NoteCache.chunkBytes, MADV_DONTNEED) }
      state.untouched.append(chunk)
    }
  }
}
