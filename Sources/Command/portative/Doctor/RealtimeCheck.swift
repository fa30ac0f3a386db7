import Glibc
import LocalSystem

/// Checks whether render threads may have realtime priority, by requesting it on a thread of its own.
enum RealtimeCheck {
  /// The priority that servers request, less one.
  private static let priority = 69

  static func findings(
    _ attempt: () -> Result<Int, RealtimePriorityError> = { tried() }
  ) -> [Finding] {
    switch attempt() {
    case .success(let priority):
      return [.good("realtime", "permitted, at least up to priority \(priority)")]
    case .failure(let refusal):
      return [.warning("realtime", refusal.finding, remedy: RealtimePriorityError.remedy)]
    }
  }

  /// Requests the priority on another thread, because this one must keep its own.
  private static func tried() -> Result<Int, RealtimePriorityError> {
    do throws(Failure) {
      return try interruptibly {
        Result { () throws(RealtimePriorityError) in try RealtimePriority.request(priority) }
      }
    } catch {
      return .failure(RealtimePriorityError(limit: 0, answer: error.message))
    }
  }
}

/// Checks whether the memory shared by hosts and nodes may be locked.
enum LockedMemoryCheck {
  /// The memory of several connections, in bytes. It is locked if that is permitted, and used unlocked otherwise.
  private static let enough = 8 << 20

  static func findings(limit: UInt64? = nil) -> [Finding] {
    let limit = limit ?? current
    if limit >= enough {
      let amount = limit > 1 << 50 ? "without limit" : "up to \(limit >> 20) MB"
      return [.good("locked memory", "permitted, \(amount)")]
    }
    return [
      .warning(
        "locked memory",
        "the limit memlock should be at least \(enough >> 10) kB, but is \(limit >> 10) kB: the sound may be "
          + "interrupted when memory is short",
        remedy:
          "add '@audio - memlock unlimited' to /etc/security/limits.d/audio.conf, "
          + "sudo usermod -aG audio $USER, then log in again")
    ]
  }

  private static var current: UInt64 {
    var limit = rlimit()
    return getrlimit(CInt(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : 0
  }
}
