import Glibc

/// A signal that permanently ends a thread's waits for descriptors.
package final class ShutdownSignal: Sendable {
  /// A descriptor for `poll(2)` that is readable after ``wake()`` was called.
  package let reading: CInt
  private let writing: CInt

  package init() throws(SystemError) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the current wait and all later ones.
  package func wake() { _ = write(writing, [1], 1) }

  /// Waits until a descriptor is readable, the deadline has passed, or ``wake()`` was called.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - deadline: In nanoseconds of ``MonotonicClock``; `nil`: none.
  /// - Returns: `false` if ``wake()`` was called, during the wait or before.
  package func wait(for descriptor: CInt, until deadline: Int64? = nil) -> Bool {
    var descriptors = [descriptor, reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&descriptors, 2, Self.milliseconds(until: deadline)) < 0 {}
    return descriptors[1].revents == 0
  }

  /// Returns the timeout for `poll(2)`, rounded up so that the deadline has passed at the timeout.
  private static func milliseconds(until deadline: Int64?) -> CInt {
    guard let deadline else { return -1 }
    return CInt(max(0, min(1_000_000, (deadline - MonotonicClock.now + 999_999) / 1_000_000)))
  }
}
