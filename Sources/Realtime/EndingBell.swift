import Glibc

/// Ends a thread's wait for descriptors, for good.
package final class EndingBell: Sendable {
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
  /// - Returns: `false` when the bell was rung, now or before.
  package func wait(for descriptor: CInt) -> Bool {
    var descriptors = [descriptor, reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&descriptors, 2, -1) < 0 {}
    return descriptors[1].revents == 0
  }
}
