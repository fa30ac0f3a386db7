import Glibc
import Synchronization

/// Memory for recordings of notes, within one budget for all instruments that share it.
///
/// It comes in chunks. An instrument takes what it needs for a cycle before the cycle, and gives back
/// what it does not need; so a song with few notes to keep leaves its share to the others. When
/// all is taken, who has less than an equal share asks, and those who have more give. What is never used
/// takes no memory.
///
/// A part of it can be lent to others, who take their memory elsewhere: as much as they have is then
/// not given out, or taken back when nobody plays from it any more.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: a chunk and its link belong to whom it was given; the rest is behind the
/// mutex.
public final class RecordingMemory: @unchecked Sendable {
  let chunks: UnsafeMutableRawPointer
  /// For each chunk the next of its recording.
  let links: UnsafeMutablePointer<Int32>
  let chunkCount: Int

  private struct State {
    /// Chunks that have been used, the last given back on top.
    var free: [Int32] = []
    /// Chunks that take no memory yet, or no more.
    var untouched: [Int32]
    var users = 0
    /// Bytes that others have of it.
    var lent = 0
    /// Chunks that were asked for in vain since somebody last gave some up.
    var missing = 0

    var unused: Int { free.count + untouched.count }
  }
  private let state: Mutex<State>

  /// - Parameter bytes: The most that recordings may take.
  public init(bytes: Int) {
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

  func place(_ chunk: Int32) -> UnsafeMutableRawPointer {
    chunks + Int(chunk) * NoteCache.chunkBytes
  }

  func join() { state.withLock { $0.users += 1 } }

  /// Takes a user's chunks back, for it is done.
  func leave(with chunks: UnsafeBufferPointer<Int32>) {
    state.withLock { state in
      state.users -= 1
      state.free.append(contentsOf: chunks)
      releaseExcess(&state)
    }
  }

  /// Lends bytes, for as long as they are not given back by as many below zero.
  func lend(_ bytes: Int) {
    state.withLock { state in
      state.lent += bytes
      releaseExcess(&state)
    }
  }

  /// How much is lent.
  var lentBytes: Int { state.withLock { $0.lent } }

  /// What a user has after its store was balanced.
  struct Balance {
    /// Free chunks in its store.
    var count: Int
    /// How many it should give up, because others have less or too many are given out.
    var excess: Int
    /// How many it may count on, all in all.
    var reach: Int
  }

  /// Fills a user's store of free chunks, or empties it, to what it needs.
  ///
  /// - Parameters:
  ///   - store: Its free chunks, of which the first `count` are there.
  ///   - needed: How many should be there.
  ///   - used: How many it has besides.
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
      while count < needed, let chunk = takeUnused(&state) {
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
      let reach = max(share, owned + (limit - given) / max(state.users, 1))
      return Balance(count: count, excess: excess, reach: reach)
    }
  }

  /// How many chunks may take memory, given out or not.
  private func limit(_ state: State) -> Int {
    max(0, chunkCount - (state.lent + NoteCache.chunkBytes - 1) / NoteCache.chunkBytes)
  }

  private func takeUnused(_ state: inout State) -> Int32? {
    guard chunkCount - state.unused < limit(state) else { return nil }
    return state.free.popLast() ?? state.untouched.popLast()
  }

  /// Gives the memory of free chunks back to the system, as far as there is too much.
  private func releaseExcess(_ state: inout State) {
    let limit = limit(state)
    while chunkCount - state.untouched.count > limit, let chunk = state.free.popLast() {
      madvise(place(chunk), NoteCache.chunkBytes, MADV_DONTNEED)
      state.untouched.append(chunk)
    }
  }
}
