import Glibc

/// Ends a thread's wait for descriptors, for good.
package final class ShutdownSignal: Sendable {
  /// Readable once it was rung; for `poll`.
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

  package func ring() { _ = write(writing, [1], 1) }

  /// Waits until a descriptor is readable.
  ///
  /// - Parameter deadline: When to wait no longer, in nanoseconds of ``MonotonicClock``; `nil`: never.
  /// - Returns: `false` when the bell was rung, now or before.
  package func wait(for descriptor: CInt, until deadline: Int64? = nil) -> Bool {
    var descriptors = [descriptor, reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&descriptors, 2, Self.milliseconds(until: deadline)) < 0 {}
    return descriptors[1].revents == 0
  }

  /// Rounded up, so that the deadline has passed when they are over.
  private static func milliseconds(until deadline: Int64?) -> CInt {
    guard let deadline else { return -1 }
    return CInt(max(0, min(1_000_000, (deadline - MonotonicClock.now + 999_999) / 1_000_000)))
  }
}
