import Synchronization

/// Memory for recordings of notes, within one budget for all instruments that share it.
///
/// It comes in chunks. An instrument takes what it needs for a cycle before the cycle, and gives back
/// what it does not need; so a song with few notes to keep leaves its share to the others. When
/// all is taken, who has less than an equal share asks, and those who have more give. What is never used
/// takes no memory.
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
    /// The last given back on top, for its pages are there already.
    var free: [Int32]
    var users = 0
    /// Chunks that were asked for in vain since somebody last gave some up.
    var missing = 0
  }
  private let state: Mutex<State>

  /// - Parameter bytes: The most that recordings may take.
  public init(bytes: Int) {
    chunkCount = bytes / NoteCache.chunkBytes
    chunks = .allocate(byteCount: chunkCount * NoteCache.chunkBytes, alignment: 64)
    links = .allocate(capacity: chunkCount)
    state = Mutex(State(free: (0..<Int32(chunkCount)).reversed()))
  }

  deinit {
    chunks.deallocate()
    links.deallocate()
  }

  func join() { state.withLock { $0.users += 1 } }

  /// Takes a user's chunks back, for it is done.
  func leave(with chunks: UnsafeBufferPointer<Int32>) {
    state.withLock { state in
      state.users -= 1
      state.free.append(contentsOf: chunks)
    }
  }

  /// What a user has after its store was balanced.
  struct Balance {
    /// Free chunks in its store.
    var count: Int
    /// How many it should give up, because others have less.
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
      while count < needed, let chunk = state.free.popLast() {
        store[count] = chunk
        count += 1
      }
      let share = chunkCount / max(state.users, 1)
      let owned = used + count
      state.missing = max(state.missing, min(needed - count, share - owned))
      let excess = max(0, min(state.missing, owned - share))
      state.missing -= excess
      let reach = max(share, owned + state.free.count / max(state.users, 1))
      return Balance(count: count, excess: excess, reach: reach)
    }
  }
}
