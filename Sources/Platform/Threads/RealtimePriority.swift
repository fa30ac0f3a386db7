import CLinux
import Glibc

/// Realtime priority for render threads.
package enum RealtimePriority {
  /// Gives the calling thread realtime priority: as the system's limits permit it, or else by RealtimeKit.
  /// Threads that it starts are ordinary ones.
  ///
  /// Realtime: no; it may ask another process, and wait for seconds.
  ///
  /// - Parameter priority: Of SCHED_FIFO, 1…99.
  /// - Returns: The priority it has now, which may be less.
  @discardableResult
  package static func take(_ priority: Int) throws(RealtimeRefusal) -> Int {
    let priority = max(1, min(99, priority))
    let limit = limit
    for permitted in [priority, min(priority, limit)] where permitted > 0 {
      if thread_take_priority(CInt(permitted)) == 0 { return permitted }
    }
    do throws(RealtimeKit.ProtocolError) {
      let granted = try RealtimeKit.grant(thread: thread_number(), priority: priority)
      RealtimeLimit.obey()
      return granted
    } catch {
      throw RealtimeRefusal(limit: limit, answer: error.description)
    }
  }

  /// The highest that the system permits this process.
  private static var limit: Int {
    var limit = rlimit()
    return getrlimit(CInt(__RLIMIT_RTPRIO.rawValue), &limit) == 0
      ? Int(clamping: limit.rlim_cur) : 0
  }
}

/// Why a thread has no realtime priority. Its description is a sentence with the remedy.
public struct RealtimeRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// `RLIMIT_RTPRIO` of this process.
  public let limit: Int
  /// What RealtimeKit, or the way to it, said.
  public let answer: String

  package init(limit: Int, answer: String) {
    self.limit = limit
    self.answer = answer
  }

  /// What is wrong: the end of a sentence about realtime priority.
  package var finding: String {
    "not permitted (the limit rtprio is \(limit); RealtimeKit: \(answer)), so a busy machine may be late"
  }

  /// What to do about it.
  package static let remedy =
    "install rtkit; or write '@audio - rtprio 95' into /etc/security/limits.d/audio.conf, join the group "
    + "audio, and log in again"

  public var description: String { "realtime priority is \(finding): \(Self.remedy)" }
}
