import Glibc
import Synchronization

/// How long a realtime thread of this process may run without a pause.
///
/// The kernel ends a process of which one stays longer than the hard limit. Before that, at the soft limit, it
/// sends SIGXCPU to the thread, which gives its priority up then: so one port that hangs does not take
/// the others with it.
package enum RealtimeLimit {
  /// In microseconds; for the signal's handler.
  private static let soft = Atomic<UInt>(0)

  /// Sets both limits for the process, unless they are lower already.
  ///
  /// A handler that the program has for SIGXCPU stays.
  package static func set(microseconds: Int64) {
    var limit = rlimit()
    guard microseconds > 0, getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_max = min(limit.rlim_max, rlim_t(microseconds))
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max / 4 * 3)
    soft.store(limit.rlim_cur, ordering: .relaxed)
    setrlimit(resource, &limit)

    var action = sigaction()
    sigaction(SIGXCPU, nil, &action)
    guard action.__sigaction_handler.sa_handler == nil else { return }
    action.__sigaction_handler.sa_handler = giveUpPriority
    sigaction(SIGXCPU, &action, nil)
  }

  /// Lets the calling thread hear of the soft limit.
  package static func obey() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXCPU)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  fileprivate static func giveUp() {
    var ordinary = sched_param(sched_priority: 0)
    sched_setscheduler(0, SCHED_OTHER, &ordinary)
    // The kernel has raised it by a second, and so above the hard one.
    var limit = rlimit()
    if getrlimit(resource, &limit) == 0 {
      limit.rlim_cur = soft.load(ordering: .relaxed)
      setrlimit(resource, &limit)
    }
  }

  private static var resource: __rlimit_resource_t { CInt(__RLIMIT_RTTIME.rawValue) }
}

@c(portative_give_up_priority)
private func giveUpPriority(_: CInt) { RealtimeLimit.giveUp() }
