import Dispatch
import NodeProtocol
import Synchronization
import Threads

/// Does something that may take long, without letting the user wait who has enough of it.
///
/// - Parameter work: Done on a thread of its own, and left behind when a signal comes.
/// - Throws: ``Failure/interrupted(by:)``
func interruptibly<Value: Sendable>(
  _ work: @escaping @Sendable () -> Value
) throws(Failure) -> Value {
  let outcome = Outcome<Value>()
  do throws(SystemError) {
    try SystemThread(name: "portative-wait") {
      outcome.value.withLock { $0 = work() }
      outcome.isThere.signal()
    }.detach()
  } catch {
    throw Failure(.failed, "cannot start a thread: \(error)")
  }
  while outcome.isThere.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
  }
  guard let value = outcome.value.withLock({ $0 }) else { fatalError("it was signalled") }
  return value
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let isThere = DispatchSemaphore(value: 0)
}
