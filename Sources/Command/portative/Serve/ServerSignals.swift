import Dispatch
import Glibc
import NodeProtocol
import Synchronization
import Threads

/// Handles a server's signals: SIGTERM and SIGINT end it, and SIGHUP reloads its configuration.
///
/// A thread of its own waits for them, so that the server can be ended at any time, even while it loads a SoundFont for
/// minutes.
final class ServerSignals: Sendable {
  private let signals: Mutex<sigset_t>
  private let reload = DispatchSemaphore(value: 0)
  private let isTerminating = Atomic<Bool>(false)
  private let terminal = (STDIN_FILENO...STDERR_FILENO).first { isatty($0) == 1 }

  /// Blocks the signals in the calling thread and in all threads that it starts from now on.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    // Shell scripts start background jobs with SIGINT ignored, because it is not meant for them.
    for signal in [SIGTERM, SIGINT, SIGHUP] where signal != SIGINT || !Self.isIgnored(signal) {
      sigaddset(&set, signal)
    }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signals = Mutex(set)
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Starts handling signals.
  ///
  /// - Parameter terminate: Ends the process.
  func start(_ terminate: @escaping @Sendable () -> Never) throws(SystemError) {
    try SystemThread(name: "portative-sigs") {
      while self.next() == SIGHUP, !self.isTerminalClosed { self.reload.signal() }
      self.isTerminating.store(true, ordering: .releasing)
      terminate()
    }.detach()
  }

  private func next() -> CInt {
    var set = signals.withLock { $0 }
    var signal: CInt = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }

  /// Whether the terminal was closed, so that SIGHUP does not request a reload.
  private var isTerminalClosed: Bool { terminal.map { isatty($0) == 0 } ?? false }

  /// Waits for a request to reload the configuration.
  func waitForReload() { reload.wait() }

  /// Blocks forever if the process is terminating, so that errors caused by this are not reported.
  func waitIfTerminating() {
    while isTerminating.load(ordering: .acquiring) { pause() }
  }
}
