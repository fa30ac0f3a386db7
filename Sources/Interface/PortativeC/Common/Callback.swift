import Glibc

/// A C function that the library calls, until it is removed.
///
/// **Guarantee:** when ``remove()`` returns, the function is not running and is never called again. A callback may remove
/// itself; it then still runs to its end.
///
/// `@unchecked Sendable`: the mutex protects the function. It is recursive, and held while the function runs.
final class Callback<Function>: @unchecked Sendable {
  private var function: Function?
  private let context: CallbackContext
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// - Returns: `nil` without a function.
  init?(_ function: Function?, _ context: UnsafeMutableRawPointer?) {
    guard let function else { return nil }
    self.function = function
    self.context = CallbackContext(pointer: context)
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls the function.
  ///
  /// - Returns: `nil` if the function was removed.
  func call<Result>(_ body: (Function, UnsafeMutableRawPointer?) -> Result) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return function.map { body($0, context.pointer) }
  }

  func remove() {
    pthread_mutex_lock(mutex)
    function = nil
    pthread_mutex_unlock(mutex)
  }
}

/// A pointer for a callback, which the library only passes on.
///
/// `@unchecked Sendable`: the caller of the library synchronizes what is behind it.
struct CallbackContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
}
