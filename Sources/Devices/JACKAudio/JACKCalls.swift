import Dispatch
import Glibc
import Synchronization

/// Performs calls of JACK's library, one after the other on another thread, because a server that hangs blocks them.
///
/// During a call, SIGPIPE is blocked, also in the threads that the library starts: when the server has ended, the library
/// writes to its socket, which would end this process.
///
/// Threads: any. Realtime: no.
struct JACKCalls: Sendable {
  private let queue = DispatchQueue(label: "portative-jack")

  /// Performs a call later, without waiting for it.
  func enqueue(after seconds: Double, _ call: @escaping @Sendable () -> Void) {
    let guarded: @Sendable () -> Void = { Self.withoutBrokenPipe(call) }
    if seconds > 0 {
      queue.asyncAfter(deadline: .now() + seconds, execute: guarded)
    } else {
      queue.async(execute: guarded)
    }
  }

  private static func withoutBrokenPipe<Result>(_ call: () -> Result) -> Result {
    var pipe = sigset_t()
    var mask = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &mask)
    let result = call()
    if sigismember(&mask, SIGPIPE) == 0 {
      // The signal of this thread must not be delivered when it is unblocked.
      var none = timespec()
      while sigtimedwait(&pipe, nil, &none) == SIGPIPE {}
      pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
    return result
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
      let result = Self.withoutBrokenPipe(call)
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
