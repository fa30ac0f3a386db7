import CALSA
import Glibc
import Realtime

/// Ends a thread's wait for a descriptor, for good.
final class Bell: Sendable {
  private let reading: CInt
  private let writing: CInt

  init() throws(SystemError) {
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

  func ring() { _ = write(writing, [1], 1) }

  /// Waits until a descriptor is readable.
  ///
  /// - Returns: `false` when the bell was rung, now or before.
  func wait(for descriptor: CInt) -> Bool {
    var descriptors = [descriptor, reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&descriptors, 2, -1) < 0 {}
    return descriptors[1].revents == 0
  }
}
