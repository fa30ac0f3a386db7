import Dispatch
import Synchronization

/// Performs calls of JACK's library, one after the other on another thread, because a server that hangs blocks them.
///
/// Threads: any. Realtime: no.
struct JACKCalls: Sendable {
  private let queue = DispatchQueue(label: "portative-jack")

  /// Performs a call later, without waiting for it.
  func enqueue(after seconds: Double, _ call: @escaping @Sendable () -> Void) {
    if seconds > 0 {
      queue.asyncAfter(deadline: .now() + seconds, execute: call)
    } else {
      queue.async(execute: call)
    }
  }

  private enum State<Result: Sendable>: Sendable {
    case waiting
    case returned(Result)
    case abandoned
  }

  /// Performs a call.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait for the result.
  ///   - discard: Receives the result if the call returns later, on the thread of the call.
  /// - Returns: `nil` if the call has not returned in time. It cannot be ended, and the next call waits for it.
  func perform<Result: Sendable>(
    within seconds: Double, discard: @escaping @Sendable (Result) -> Void = { _ in },
    _ call: @escaping @Sendable () -> Result
  ) -> Result? {
    let state = Shared(State<Result>.waiting)
    let hasReturned = DispatchSemaphore(value: 0)
    queue.async {
      let result = call()
      let isAbandoned = state.value.withLock { state in
        if case .abandoned = state { return true }
        state = .returned(result)
        return false
      }
      if isAbandoned { discard(result) }
      hasReturned.signal()
    }
    _ = hasReturned.wait(timeout: .now() + seconds)
    return state.value.withLock { state in
      if case .returned(let result) = state { return result }
      state = .abandoned
      return nil
    }
  }
}

private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
