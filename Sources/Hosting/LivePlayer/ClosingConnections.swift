import Glibc
import LocalSystem
import NodeHost
import Synchronization
import Threads

/// Closes connections as soon as a signal arrives, so that an offline render call stops waiting for its node.
///
/// - Parameter body: Performed on the calling thread; it may wait for the nodes of `connections`.
func closingWhenInterrupted<Value, Failure: Error>(
  _ connections: [Connection], _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  let isDone = Atomic(false)
  let watch = try? SystemThread(name: "portative-watch") {
    while !isDone.load(ordering: .acquiring) {
      if Interruption.signal != nil { return connections.forEach { $0.close() } }
      usleep(20_000)
    }
  }
  defer {
    isDone.store(true, ordering: .releasing)
    watch?.join()
  }
  return try body()
}
