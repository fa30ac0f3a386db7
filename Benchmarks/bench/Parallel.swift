import Dispatch
import Glibc

/// Does `work` for every index below `count` on all cores.
///
/// - Returns: What came of it, in the order of the indices.
/// - Throws: The first error, when all is done.
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
  // Every index is written once, by one thread.
  nonisolated(unsafe) let places = results
  DispatchQueue.concurrentPerform(iterations: count) { index in
    places[index] = .init(catching: {
      try Interruption.check()
      return try work(index)
    })
  }
  return try results.map { try $0!.get() }
}

func deleteFile(_ path: String) { unlink(path) }
