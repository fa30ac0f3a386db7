import Glibc

/// What signal handlers know of the terminal: they may not allocate, and find it at a fixed place.
struct TerminalState {
  private var before = termios()
  private var raw = termios()
  private(set) var isTaken = false
  private(set) var isRaw = false
  /// Whoever handled a signal before, by its number.
  private let actions: UnsafeMutablePointer<sigaction>

  nonisolated(unsafe) static let shared: UnsafeMutablePointer<TerminalState> = {
    let state = UnsafeMutablePointer<TerminalState>.allocate(capacity: 1)
    state.initialize(to: TerminalState())
    return state
  }()

  /// Those that end a program, as far as they can be handled.
  private static let endings = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM,
  ]

  private init() {
    actions = .allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
  }

  /// Remembers what the terminal is like, and handles signals.
  ///
  /// - Returns: `false` when the terminal does not answer.
  mutating func take() -> Bool {
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return false }
    raw = before
    raw.c_lflag &= ~UInt32(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) {
      // A read takes what there is.
      $0[Int(VMIN)] = 0
      $0[Int(VTIME)] = 0
    }
    isTaken = true
    for number in Self.endings { handle(number) { TerminalState.passOn($0) } }
    handle(SIGTSTP) { TerminalState.passOn($0) }
    handle(SIGCONT) { TerminalState.goOn($0) }
    atexit { TerminalState.shared.pointee.leave() }
    return true
  }

  private func handle(_ number: CInt, _ handler: @convention(c) (CInt) -> Void) {
    sigaction(number, nil, actions + Int(number))
    // One that is ignored stays so: nohup, or a shell's background job.
    let handlerBefore = actions[Int(number)].__sigaction_handler.sa_handler
    if unsafeBitCast(handlerBefore, to: Int.self) != 1 { Self.install(handler, for: number) }
  }

  private static func install(_ handler: @convention(c) (CInt) -> Void, for number: CInt) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // Swift's runtime has a stack of its own for when a stack is full.
    action.sa_flags = SA_RESTART | SA_ONSTACK
    sigaction(number, &action, nil)
  }

  /// Makes it raw, unless it is so already, is left, or belongs to another program now.
  mutating func enter() {
    guard isTaken, !isRaw, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    isRaw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
  }

  /// Signal-safe.
  mutating func suspend() {
    guard isRaw else { return }
    isRaw = false
    // Off with the panel, and the cursor back.
    let text: StaticString = "\r\u{1B}[J\u{1B}[?25h"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  /// Signal-safe.
  mutating func leave() {
    suspend()
    isTaken = false
  }

  /// Makes the terminal what it was, and lets the signal do what it did before.
  private static func passOn(_ number: CInt) {
    let error = errno
    if number == SIGTSTP { shared.pointee.suspend() } else { shared.pointee.leave() }
    sigaction(number, shared.pointee.actions + Int(number), nil)
    // It is blocked until this returns.
    raise(number)
    errno = error
  }

  /// After a stop: the terminal may have been given other settings meanwhile.
  private static func goOn(_ number: CInt) {
    let error = errno
    shared.pointee.isRaw = false
    if shared.pointee.isTaken { install({ TerminalState.passOn($0) }, for: SIGTSTP) }
    errno = error
  }
}
