import CLinux
import Glibc

/// A thread of the system, with its name. It begins with the ordinary scheduler; see ``RealtimePriority``.
///
/// It has all signals blocked: the program's handlers run elsewhere.
package struct SystemThread: @unchecked Sendable {
  private let thread: pthread_t

  /// What the thread runs, as render threads need it: nothing to retain, nothing to release.
  package typealias Body =
    @convention(c) (_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: What `top -H` shows; cut to 15 bytes.
  /// - Throws: `EAGAIN` when there are too many threads.
  package init(
    name: String, context: UnsafeMutableRawPointer?, _ body: Body
  ) throws(SystemError) {
    var thread = pthread_t()
    let name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    let code = thread_start(&thread, name, body, context)
    if code != 0 { throw SystemError(code: code, call: "pthread_create") }
    self.thread = thread
  }

  /// Starts a thread that may retain and release.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let context = Unmanaged.passRetained(Closure(body))
    do throws(SystemError) {
      try self.init(name: name, context: context.toOpaque(), runClosure)
    } catch {
      context.release()
      throw error
    }
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself; it must not be joined then.
  package func detach() { pthread_detach(thread) }

  /// The calling thread's priority under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler.
  package static var currentPriority: Int { Int(thread_priority()) }

  /// The one processor that the calling thread is kept on; negative: it may run on several. Realtime: yes,
  /// but a system call.
  package static var onlyProcessor: Int32 { @_noLocks get { thread_processor() } }

  /// Keeps the calling thread on the processor where it is now.
  package static func stayHere() { thread_stay_here() }

  /// Keeps the calling thread on one processor; negative: on any. Blocks while the thread moves.
  @_noLocks package static func stay(on processor: Int32) { thread_stay_on(processor) }
}

private final class Closure: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

@c private func runClosure(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Closure>.fromOpaque(context).takeRetainedValue().body() }
  return nil
}
