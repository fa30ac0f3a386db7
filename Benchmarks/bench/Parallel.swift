import Dispatch
import Glibc

/// Calls `work` for every index below `count` on all cores.
///
/// - Returns: The results in the order of the indices.
/// - Throws: The error with the lowest index, after all calls have ended.
func inParallel<Result>(
  _ count: Int, _ work: @Sendable (Int) throws -> Result
) throws -> [Result] {
  let results = UnsafeMutableBufferPointer<Swift.Result<Result, any Error>?>.allocate(
    capacity: count)
  results.initialize(repeating: nil)
  defer {
    results.deinitialize()
    results.deallocate()
  }
  // Each element is written once, by one thread.
  nonisolated(unsafe) let slots = results
  DispatchQueue.concurrentPerform(iterations: count) { index in
    slots[index] = .init(catching: {
      try Interruption.check()
      return try work(index)
    })
  }
  return try results.map { try $0!.get() }
}

func deleteFile(_ path: String) { unlink(path) }
