import Glibc
import Threads

extension MonotonicClock {
  /// Waits until a time, in nanoseconds.
  static func sleep(until time: Int64) {
    var time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, CInt(TIMER_ABSTIME), &time, nil) == EINTR {}
  }
}
