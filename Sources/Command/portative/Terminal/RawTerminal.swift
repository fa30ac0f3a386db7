import Glibc
import LocalSystem

/// The terminal in raw mode, for a panel that is redrawn in place and keys that act immediately.
///
/// Keys are not echoed and the cursor is hidden. The terminal's settings are restored by ``leave()``, at `exit`, at
/// every signal that ends a program except SIGKILL, and at Ctrl-Z; after `fg`, the panel is drawn again. In the
/// background, nothing is read or drawn.
///
/// Signals are passed on to the handlers that were installed before. After the first signal that ends programs, nothing
/// is drawn.
///
/// Realtime: no. Threads: one at a time. A process may have only one at a time.
package final class RawTerminal {
  private let saved: UnsafeMutablePointer<TerminalState>
  private var keys = TerminalKeys()
  private var drawn: Drawing?

  /// The lines that the terminal shows.
  private struct Drawing: Equatable {
    var columns: Int
    var rows: Int
    /// The number of times that raw mode had been entered. Another program may have written to the terminal since.
    var entries: Int
    var lines: [String]
  }

  /// - Parameter environment: The environment variables; `TERM` is read.
  /// - Returns: `nil` unless standard input and standard error are a terminal that can move its cursor.
  package init?(environment: [String: String]) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    guard let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
    saved = TerminalState.shared
    guard saved.pointee.acquire() else { return nil }
    saved.pointee.enter()
  }

  deinit { leave() }

  /// Whether the panel may be drawn: not in the background, nor while the program is ending.
  package var isActive: Bool {
    saved.pointee.enter()
    return saved.pointee.isRaw
  }

  /// Returns the keys that were pressed since the last call, without waiting.
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

  /// Draws lines in place of the previous ones, unless they are the same. They are made printable.
  ///
  /// - Parameter lines: Returns the lines for a terminal with the given number of columns and rows.
  package func draw(_ lines: (_ columns: Int, _ rows: Int) -> [String]) {
    guard isActive else { return }
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return }
    // A terminal that has become narrower has wrapped the previous lines.
    let (columns, rows) = (Int(size.ws_col), Int(max(1, size.ws_row)))
    let erased = drawn?.columns == columns ? "" : "\r\u{1B}[J"
    let lines = lines(columns, rows).prefix(rows).map(\.printable)
    let drawing = Drawing(
      columns: columns, rows: rows, entries: saved.pointee.entries, lines: lines)
    if drawing == drawn { return }
    drawn = drawing
    let text = lines.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
    // `ESC [ J` erases the previous lines below the last one.
    write("\u{1B}[?25l\(erased)\(text)\u{1B}[J\(up)\r")
  }

  /// Erases the panel, so that other text can be printed; the next ``draw(_:)`` draws it below that text.
  package func erase() {
    drawn = nil
    if saved.pointee.isRaw { write("\r\u{1B}[J") }
  }

  /// Restores the terminal's settings. Afterwards, nothing is drawn.
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
