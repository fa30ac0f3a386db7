import Dispatch
import Synchronization

/// Performs work that a signal can interrupt.
///
/// - Parameter work: Performed on another thread, which is abandoned when a signal arrives.
/// - Throws: ``Failure/interrupted(by:)`` if a signal arrives; a ``Failure`` if the thread cannot be started.
package func interruptibly<Value: Sendable>(
  _ work: @escaping @Sendable () -> Value
) throws(Failure) -> Value {
  let outcome = Outcome<Value>()
  do throws(SystemError) {
    try SystemThread(name: "portative-wait") {
      outcome.value.withLock { $0 = work() }
      outcome.isDone.signal()
    }.detach()
  } catch {
    throw Failure(.failed, "cannot start a thread: \(error)")
  }
  while outcome.isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
  }
  guard let value = outcome.value.withLock({ $0 }) else { fatalError("it was signalled") }
  return value
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let isDone = DispatchSemaphore(value: 0)
}
