import Glibc
import LocalSystem

extension MonotonicClock {
  /// Sleeps until `time`, in nanoseconds of the monotonic clock.
  static func sleep(until time: Int64) {
    var time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, CInt(TIMER_ABSTIME), &time, nil) == EINTR {}
  }
}
