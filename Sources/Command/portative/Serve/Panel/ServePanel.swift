import Dispatch
import FoundationEssentials
import Glibc
import LivePlayer
import LocalSystem
import PortativeServer

/// The panel of a server on the terminal, and its keys.
///
/// A thread of its own reads the keys and draws what has changed, ten times a second.
///
/// Threads: any.
///
/// `@unchecked Sendable`: the variables belong to the holder of ``lock``, except those of the server.
final class ServePanel: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private let terminal: RawTerminal
  private let isUnicode: Bool
  private let server: PortativeServer
  private let reader: ServerStatusReader
  private let log: ServerLog
  private let actions = DispatchQueue(label: "portative-panel-actions")
  private var panel = ServerPanel()
  private var lastUpdate = ContinuousClock.now
  private var isShown = false
  private var isOver = false

  /// - Returns: `nil` if standard input and error are not a terminal that can show the panel.
  init?(_ server: PortativeServer, _ log: ServerLog) {
    let variables = ProcessInfo.processInfo.environment
    guard let terminal = RawTerminal(environment: variables) else { return nil }
    self.terminal = terminal
    self.server = server
    self.log = log
    reader = ServerStatusReader(server)
    isUnicode = TerminalText.isUnicode(environment: variables)
  }

  /// Shows the panel until ``leave()``.
  func start() throws(SystemError) {
    try SystemThread(name: "portative-panel") { [self] in
      while update() { usleep(100_000) }
    }.detach()
  }

  /// - Returns: `false` after ``leave()``.
  private func update() -> Bool {
    lock.wait()
    defer { lock.signal() }
    if isOver { return false }
    setShown(terminal.isActive)
    guard isShown else { return true }
    for key in terminal.pressedKeys() { act(on: key) }
    let now = ContinuousClock.now
    panel.show(reader.read(), after: (now - lastUpdate) / .seconds(1))
    lastUpdate = now
    panel.log = log.lines.last(ServerPanel.logLines)
    terminal.draw { columns, rows in
      panel.lines(columns: columns, rows: rows, isUnicode: isUnicode)
    }
    return true
  }

  /// In the background, the log is written as without a panel.
  private func setShown(_ isActive: Bool) {
    if isActive == isShown { return }
    isShown = isActive
    if isActive { log.lines.show() } else { log.lines.hide() }
  }

  private func act(on key: TerminalKey) {
    let server = server
    switch key {
    case .up: panel.choose(-1)
    case .down, .character("\t"): panel.choose(1)
    case .right, .character("n"), .character("N"), .character("]"):
      actions.async { server.stepScene(1) }
    case .left, .character("p"), .character("P"), .character("["):
      actions.async { server.stepScene(-1) }
    case .character("!"), .character("x"), .character("X"): actions.async { server.silence() }
    case .character("s"), .character("S"): panel.showsStage.toggle()
    case .character("+"): actions.async { server.transpose(.by(1)) }
    case .character("-"): actions.async { server.transpose(.by(-1)) }
    case .character("0"): actions.async { server.transpose(.to(0)) }
    case .character("?"), .character("h"), .character("H"): panel.showsHelp.toggle()
    // Ctrl-L.
    case .character("\u{C}"): terminal.erase()
    case .character("q"), .character("Q"): kill(getpid(), SIGTERM)
    default: break
    }
  }

  /// Erases the panel, restores the terminal, and writes the last lines of the log. Also ends the panel if the terminal
  /// accepts no output, after at most a second.
  func leave() {
    // Output that was stopped by Ctrl-S would block the drawing thread, and this one.
    // Linux continues it only after TCOOFF.
    if tcgetpgrp(STDERR_FILENO) == getpgrp() {
      tcflow(STDERR_FILENO, TCOOFF)
      tcflow(STDERR_FILENO, TCOON)
    }
    let hasLock = lock.wait(timeout: .now() + 1) == .success
    if !hasLock { tcflush(STDERR_FILENO, TCOFLUSH) }
    terminal.erase()
    terminal.leave()
    isOver = true
    log.lines.hide()
    if hasLock { lock.signal() }
  }
}
