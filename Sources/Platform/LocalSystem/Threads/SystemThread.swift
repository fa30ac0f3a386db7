import CLinux
import Glibc

/// A named thread of the system. It has no realtime priority at first; see ``RealtimePriority``.
///
/// All signals are blocked in it, so that the program's handlers run on other threads.
///
/// `@unchecked Sendable`: a `pthread_t` is an identifier that any thread may use.
package struct SystemThread: @unchecked Sendable {
  private let thread: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: The name that `top -H` shows; truncated to 15 bytes.
  ///   - stackSize: The size of the stack in bytes; 0 for the system's default.
  ///   - body: The thread's function. It is released when it has returned, before ``join()`` returns.
  /// - Throws: `EAGAIN` if a limit of threads is reached.
  package init(
    name: String, stackSize: Int = 0, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let context = Unmanaged.passRetained(Closure(body))
    var thread = pthread_t()
    let name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    let code = thread_start(&thread, name, stackSize, runClosure, context.toOpaque())
    if code != 0 {
      context.release()
      throw SystemError(code: code, call: "pthread_create")
    }
    self.thread = thread
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Detaches the thread: its resources are freed when it ends. It must not be joined then.
  package func detach() { pthread_detach(thread) }

  /// The calling thread's priority under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler. Realtime: yes, but it
  /// is a system call.
  package static var currentPriority: Int { @_noLocks get { Int(thread_priority()) } }

  /// The processor to which the calling thread is pinned; negative: it may run on several. Realtime: yes, but it is a
  /// system call.
  package static var pinnedProcessor: Int32 { @_noLocks get { thread_processor() } }

  /// Pins the calling thread to the processor on which it runs.
  package static func pinToCurrentProcessor() { thread_stay_here() }

  /// Pins the calling thread to a processor; negative: unpins it. Blocks while the thread moves to another processor.
  @_noLocks package static func pin(to processor: Int32) { thread_stay_on(processor) }
}

private final class Closure: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runClosure(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Closure>.fromOpaque(context).takeRetainedValue().body() }
  return nil
}
