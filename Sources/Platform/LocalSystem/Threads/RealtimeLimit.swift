import Glibc
import Synchronization

/// The limit of the time for which a realtime thread of this process may run without blocking (RLIMIT_RTTIME).
///
/// The kernel kills a process if one of its threads exceeds the hard limit. Before that, at the soft limit, it sends
/// SIGXCPU to the thread, whose handler then gives up the thread's priority. A port that hangs therefore does not end
/// the other ports.
package enum RealtimeLimit {
  /// The soft limit in microseconds, for the signal handler.
  private static let soft = Atomic<UInt>(0)

  /// Lowers both limits of the process: the hard limit to `microseconds`, the soft limit to three quarters of it.
  ///
  /// A handler that the program already has for SIGXCPU is kept.
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

  /// Unblocks SIGXCPU in the calling thread, so that it gives up its priority at the soft limit.
  package static func enableSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXCPU)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  fileprivate static func dropPriority() {
    var ordinary = sched_param(sched_priority: 0)
    sched_setscheduler(0, SCHED_OTHER, &ordinary)
    // The kernel has raised the soft limit by one second, which may be above the hard limit.
    var limit = rlimit()
    if getrlimit(resource, &limit) == 0 {
      limit.rlim_cur = soft.load(ordering: .relaxed)
      setrlimit(resource, &limit)
    }
  }

  private static var resource: __rlimit_resource_t { CInt(__RLIMIT_RTTIME.rawValue) }
}

private func giveUpPriority(_: CInt) { RealtimeLimit.dropPriority() }
