public import LocalSystem
import NodeProtocol

/// The scheduling of a port's render thread.
public enum RenderScheduling: Equatable, Sendable, CustomStringConvertible {
  /// The default scheduler, because the host waits without a deadline.
  case offline
  /// The default scheduler, like the host's thread.
  case asHost
  /// SCHED_FIFO or SCHED_RR with this priority, 1…99.
  case realtime(priority: Int)
  /// The default scheduler, because realtime priority was not permitted, although the host has it.
  case refused(RealtimePriorityError)

  var isRealtime: Bool { if case .realtime = self { true } else { false } }

  public var description: String {
    switch self {
    case .offline: "offline"
    case .asHost: "ordinary priority, as its host"
    case .realtime(let priority): "realtime priority \(priority)"
    case .refused: "without realtime priority"
    }
  }
}

extension RenderScheduling {
  /// Applies the scheduling for a host's request to the calling thread, as far as it is permitted: one priority below
  /// the host's. At the same priority on one processor, a unit that never returns would keep the host's thread from
  /// running when its deadline passes.
  init(applying initialization: InitializePort) {
    self = .asHost
    if initialization.isOffline {
      self = .offline
    } else if initialization.priority > 1 {
      do throws(RealtimePriorityError) {
        self = .realtime(priority: try RealtimePriority.request(initialization.priority - 1))
      } catch {
        self = .refused(error)
      }
    }
  }
}
