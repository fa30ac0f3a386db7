import Glibc
import LocalSystem
import Synchronization

/// The lines of a server's log: on standard error, or kept for a panel while it is shown.
///
/// Threads: any.
final class LogLines: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isShown = false
    var lines: [String] = []
    /// The last lines, also while no panel is shown, and the number of the next one.
    var history: [String] = []
    var next = 0
  }

  /// The number of lines that are kept.
  static let limit = 200

  /// The greatest length of a line in characters. What others name can be longer.
  static let lengthLimit = 1000

  /// Adds a line without its line feed. Whatever shows it, its text is printable.
  ///
  /// - Parameter record: What is kept for pages instead of the line.
  func add(_ line: String, record: String? = nil) {
    let line = Self.limited(line.printable)
    state.withLock { state in
      state.history.append(record ?? line)
      if state.history.count > Self.limit { state.history.removeFirst() }
      state.next += 1
      guard state.isShown else {
        Terminal.write("\(line)\n", to: STDERR_FILENO)
        return
      }
      state.lines.append(line)
      if state.lines.count > Self.limit { state.lines.removeFirst() }
    }
  }

  private static func limited(_ line: String) -> String {
    // Counting bytes is fast, and a character has at least one.
    if line.utf8.count <= lengthLimit { return line }
    return line.count <= lengthLimit ? line : "\(line.prefix(lengthLimit - 1))…"
  }

  /// The last lines that were added while a panel was shown.
  func last(_ count: Int) -> [String] { state.withLock { Array($0.lines.suffix(count)) } }

  /// Returns the kept lines from a number on, and the number of the next line.
  func lines(from number: Int) -> (lines: [String], next: Int) {
    state.withLock { state in
      let count = min(state.history.count, max(0, state.next - number))
      return (Array(state.history.suffix(count)), state.next)
    }
  }

  /// Keeps lines for a panel from now on.
  func show() { state.withLock { $0.isShown = true } }

  /// Writes the kept lines, and all further ones, to standard error.
  func hide() {
    state.withLock { state in
      state.isShown = false
      let text: OutputText = state.lines.map { "\($0)\n" }.joined()
      if !state.lines.isEmpty { Terminal.write(text, to: STDERR_FILENO) }
      state.lines = []
    }
  }
}
