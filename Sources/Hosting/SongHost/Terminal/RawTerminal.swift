import Glibc

/// The terminal, for a panel that is redrawn in place and keys that act at once.
///
/// Keys are not echoed while there is one, and the cursor is hidden. However the program ends, and while it is
/// stopped, the terminal is as it was before: at ``leave()``, at `exit`, at every signal that ends a program but
/// SIGKILL, and at Ctrl-Z, from which `fg` comes back to the panel. In the background nothing is read or drawn.
///
/// Signals go on to whoever handled them before; from the first one that ends programs on, nothing is drawn.
///
/// Realtime: no. Threads: one at a time. There is one in a process.
package final class RawTerminal {
  private let saved: UnsafeMutablePointer<TerminalState>
  private var keys = TerminalKeys()
  private var columns = 0

  /// - Parameter environment: Looked up for TERM.
  /// - Returns: `nil` unless standard input and error are a terminal that can move its cursor.
  package init?(environment: [String: String]) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    guard let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
    saved = TerminalState.shared
    guard !saved.pointee.isTaken, saved.pointee.take() else { return nil }
    saved.pointee.enter()
  }

  deinit { leave() }

  /// Whether it may be drawn to: not in the background, nor once the program is ending.
  package var isActive: Bool {
    saved.pointee.enter()
    return saved.pointee.isRaw
  }

  /// The keys that were pressed since the last call.
  package func pressedKeys() -> [TerminalKey] {
    guard isActive else { return [] }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0, input.revents & Int16(POLLIN) != 0 else {
      return keys.keys(from: [])
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    return count > 0 ? keys.keys(from: bytes.prefix(count)) : []
  }

  /// Draws lines in place of those before.
  ///
  /// - Parameter lines: Makes them, for so many columns.
  package func draw(_ lines: (_ columns: Int) -> [String]) {
    guard isActive else { return }
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return }
    // A terminal that was made narrower has broken the lines.
    let erased = columns == Int(size.ws_col) ? "" : "\r\u{1B}[J"
    columns = Int(size.ws_col)
    let lines = lines(columns).prefix(Int(max(1, size.ws_row)))
    let text = lines.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
    // What is below is of lines that there were before.
    write("\u{1B}[?25l\(erased)\(text)\u{1B}[J\(up)\r")
  }

  /// Takes the panel away, so that something else can be said; the next ``draw(_:)`` brings it back below.
  package func erase() {
    if saved.pointee.isRaw { write("\r\u{1B}[J") }
  }

  /// Makes the terminal what it was before. Nothing is drawn from then on.
  package func leave() { saved.pointee.leave() }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
