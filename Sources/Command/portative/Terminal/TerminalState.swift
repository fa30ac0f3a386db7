import Glibc

/// The state of the terminal. It is at a fixed address for signal handlers, which must not allocate memory.
struct TerminalState {
  private var before = termios()
  private var raw = termios()
  private var isAcquired = false
  private(set) var isRaw = false
  /// How often raw mode was entered.
  private(set) var entries = 0
  /// The previous actions of the signals, by signal number.
  private let actions: UnsafeMutablePointer<sigaction>

  nonisolated(unsafe) static let shared: UnsafeMutablePointer<TerminalState> = {
    let state = UnsafeMutablePointer<TerminalState>.allocate(capacity: 1)
    state.initialize(to: TerminalState())
    return state
  }()

  /// The signals that end a program and can be handled.
  private static let endingSignals = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM,
  ]

  private init() {
    actions = .allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
  }

  /// Saves the terminal's settings and installs the signal handlers.
  ///
  /// - Returns: `false` if another panel uses the terminal, or if the settings cannot be read.
  mutating func acquire() -> Bool {
    guard !isAcquired, tcgetattr(STDIN_FILENO, &before) == 0 else { return false }
    raw = before
    raw.c_lflag &= ~UInt32(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) {
      // A read returns immediately with the bytes that are available.
      $0[Int(VMIN)] = 0
      $0[Int(VTIME)] = 0
    }
    isAcquired = true
    for number in Self.endingSignals + [SIGTSTP] { handle(number, Self.forward) }
    handle(SIGCONT, Self.resume)
    atexit { TerminalState.shared.pointee.leave() }
    return true
  }

  private func handle(_ number: CInt, _ handler: @convention(c) (CInt) -> Void) {
    var previous = sigaction()
    sigaction(number, nil, &previous)
    let address = unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self)
    // The handler of an earlier panel stays installed, and must not become its own previous action.
    if address == unsafeBitCast(handler, to: Int.self) { return }
    actions[Int(number)] = previous
    // An ignored signal stays ignored, as under `nohup` or in a background job of the shell.
    if address != 1 { Self.install(handler, for: number) }
  }

  private static func install(_ handler: @convention(c) (CInt) -> Void, for number: CInt) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // The Swift runtime provides an alternate signal stack, which is needed after a stack overflow.
    action.sa_flags = SA_RESTART | SA_ONSTACK
    sigaction(number, &action, nil)
  }

  /// Enters raw mode, unless the terminal is already raw, was left, or belongs to another process group now.
  mutating func enter() {
    guard isAcquired, !isRaw, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    isRaw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    if isRaw { entries += 1 }
  }

  /// Erases the panel and restores the terminal's settings. Signal-safe.
  mutating func suspend() {
    guard isRaw else { return }
    isRaw = false
    // Erases the panel and shows the cursor.
    let text: StaticString = "\r\u{1B}[J\u{1B}[?25h"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  /// Restores the terminal's settings for good. Signal-safe.
  mutating func leave() {
    suspend()
    isAcquired = false
  }

  /// Restores the terminal's settings, and the previous action of the signal, and raises the signal again.
  private static let forward: @convention(c) (CInt) -> Void = { number in
    let error = errno
    if number == SIGTSTP { shared.pointee.suspend() } else { shared.pointee.leave() }
    sigaction(number, shared.pointee.actions + Int(number), nil)
    // The signal is blocked until this handler returns.
    raise(number)
    errno = error
  }

  /// Handles SIGCONT. Other programs may have changed the terminal's settings while this one was stopped.
  private static let resume: @convention(c) (CInt) -> Void = { _ in
    let error = errno
    shared.pointee.isRaw = false
    if shared.pointee.isAcquired { install(forward, for: SIGTSTP) }
    errno = error
  }
}
