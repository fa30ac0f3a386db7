import NodeProtocol
public import Threads

/// How a port's render thread is scheduled.
public enum RenderScheduling: Equatable, Sendable, CustomStringConvertible {
  /// Ordinarily: the host waits as long as it takes.
  case offline
  /// Ordinarily, as the host's own.
  case asHost
  /// With this priority of SCHED_FIFO or SCHED_RR.
  case realtime(priority: Int)
  /// Ordinarily, though the host's is better.
  case refused(RealtimeRefusal)

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
  /// Gives the calling thread what it should have, as far as that is permitted: one less than the host's
  /// priority. On one processor, a unit that never returns would else keep a host of the same priority
  /// from noticing that its wait is over.
  init(takenFor initialization: Initialization) {
    self = .asHost
    if initialization.isOffline {
      self = .offline
    } else if initialization.priority > 1 {
      do throws(RealtimeRefusal) {
        self = .realtime(priority: try RealtimePriority.take(initialization.priority - 1))
      } catch {
        self = .refused(error)
      }
    }
  }
}
