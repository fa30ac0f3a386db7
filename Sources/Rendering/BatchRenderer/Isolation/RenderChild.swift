import CLinux
import Glibc
import LocalSystem

/// A child process that renders.
struct RenderChild {
  let process: pid_t
  /// At its end when the child has ended.
  private let end: CInt
  private let stallLimit: Int

  /// Whether this is the child.
  var isSelf: Bool { process == 0 }

  /// Forks.
  ///
  /// - Returns: `nil` if the system has no room for a process.
  init?(stallLimit: Int) {
    var ends: [CInt] = [0, 0]
    let parent = getpid()
    if pipe2(&ends, O_CLOEXEC) != 0 { return nil }
    process = portative_fork()
    if process < 0 {
      for end in ends { close(end) }
      return nil
    }
    self.stallLimit = stallLimit
    end = ends[0]
    if process > 0 {
      close(ends[1])
      return
    }
    // The child keeps the other end open, and does not outlive its parent.
    close(ends[0])
    _ = portative_set_parent_death_signal(SIGKILL)
    if getppid() != parent { _exit(1) }
    Interruption.keepWatching()
    // Swift's runtime would write a backtrace, which takes seconds, of a fault that the parent reports.
    for fault in [SIGSEGV, SIGBUS, SIGABRT, SIGFPE] { signal(fault, SIG_DFL) }
  }

  /// Waits until the child ends, and ends it if it uses the processor without progress.
  ///
  /// - Parameter heartbeat: Returns a number that changes with each progress.
  /// - Returns: The status of `waitpid`, and the fault that ended the process.
  func wait(heartbeat: () -> Int) -> (status: CInt, fault: RenderFault?) {
    defer { close(end) }
    var (lastBeat, lastTime) = (heartbeat(), processorSeconds)
    var isStalled = false
    var sentSignal: CInt?
    var descriptor = pollfd(fd: end, events: 0, revents: 0)
    while poll(&descriptor, 1, 1000) <= 0 {
      if let signal = Interruption.signal, signal != sentSignal {
        sentSignal = signal
        kill(process, signal)
      }
      let beat = heartbeat()
      if beat != lastBeat {
        (lastBeat, lastTime) = (beat, processorSeconds)
      } else if processorSeconds - lastTime > Double(stallLimit) {
        isStalled = true
        kill(process, SIGKILL)
      }
    }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (status, isStalled ? .stalled : RenderFault(status: status))
  }

  /// The processor time that the child has used. It does not pass while the child is stopped or waits for a disk.
  private var processorSeconds: Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return 0
    }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
