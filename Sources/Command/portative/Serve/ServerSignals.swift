import Dispatch
import Glibc
import NodeProtocol
import Synchronization
import Threads

/// The signals that a server obeys: SIGTERM and SIGINT end it, SIGHUP lets it read its configuration again.
///
/// A thread of its own waits for them, so that a server can be ended whatever it is at: it may be loading a
/// SoundFont that takes minutes.
final class ServerSignals: Sendable {
  private let signals: Mutex<sigset_t>
  private let reload = DispatchSemaphore(value: 0)
  private let isEnding = Atomic<Bool>(false)
  private let terminal = (STDIN_FILENO...STDERR_FILENO).first { isatty($0) == 1 }

  /// Blocks them in the calling thread, and in all that it starts from now on.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    // A shell that runs a script has its background jobs ignore SIGINT, which is not meant for them.
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

  /// Begins to obey.
  ///
  /// - Parameter end: Ends the program.
  func obey(end: @escaping @Sendable () -> Never) throws(SystemError) {
    try SystemThread(name: "portative-sigs") {
      while self.next() == SIGHUP, !self.terminalIsGone { self.reload.signal() }
      self.isEnding.store(true, ordering: .releasing)
      end()
    }.detach()
  }

  private func next() -> CInt {
    var set = signals.withLock { $0 }
    var signal: CInt = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }

  /// Whether SIGHUP means what it meant first: that the user has hung up.
  private var terminalIsGone: Bool { terminal.map { isatty($0) == 0 } ?? false }

  /// Waits until the configuration is to be read again.
  func waitForReload() { reload.wait() }

  /// Waits for ever if the program is being ended, lest what fails because of that be complained of.
  func giveWay() {
    while isEnding.load(ordering: .acquiring) { pause() }
  }
}
