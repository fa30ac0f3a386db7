import CLinux
import Glibc

/// Realtime priority for render threads.
package enum RealtimePriority {
  /// Gives the calling thread realtime priority, directly if the system's limits permit it, otherwise through
  /// RealtimeKit. Threads that it starts do not inherit the priority.
  ///
  /// Realtime: no; it may wait for another process for seconds.
  ///
  /// - Parameter priority: The SCHED_FIFO priority to request: 1…99; clamped to that range.
  /// - Returns: The priority that the thread has now; it may be lower.
  @discardableResult
  package static func request(_ priority: Int) throws(RealtimePriorityError) -> Int {
    let priority = max(1, min(99, priority))
    let limit = limit
    for permitted in [priority, min(priority, limit)] where permitted > 0 {
      if thread_take_priority(CInt(permitted)) == 0 { return permitted }
    }
    do throws(RealtimeKit.Failure) {
      let granted = try RealtimeKit.grant(thread: thread_number(), priority: priority)
      RealtimeLimit.enableSignal()
      return granted
    } catch {
      throw RealtimePriorityError(limit: limit, answer: error.description)
    }
  }

  /// The highest priority that the system permits this process; 0: none.
  private static var limit: Int {
    var limit = rlimit()
    return getrlimit(CInt(__RLIMIT_RTPRIO.rawValue), &limit) == 0
      ? Int(clamping: limit.rlim_cur) : 0
  }
}

/// The reason why a thread has no realtime priority. Its description is a sentence with the remedy.
public struct RealtimePriorityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `RLIMIT_RTPRIO` of this process.
  public let limit: Int
  /// The error of RealtimeKit, or of the connection to it.
  public let answer: String

  package init(limit: Int, answer: String) {
    self.limit = limit
    self.answer = answer
  }

  /// The problem, as the end of a sentence about realtime priority.
  package var finding: String {
    "not permitted (the limit rtprio is \(limit); RealtimeKit: \(answer)), so audio may be late on a busy machine"
  }

  /// The remedy.
  package static let remedy =
    "install rtkit; or write '@audio - rtprio 95' into /etc/security/limits.d/audio.conf, join the group "
    + "audio, and log in again"

  public var description: String { "realtime priority is \(finding): \(Self.remedy)" }
}
