import Glibc
import Synchronization

/// The lines of a server's log: on standard error, or kept for a panel while it is shown.
///
/// Threads: any.
final class LogLines: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isShown = false
    var lines: [String] = []
  }

  /// The number of lines that are kept.
  static let limit = 200

  /// Adds a line without its line feed.
  func add(_ line: String) {
    state.withLock { state in
      guard state.isShown else {
        Terminal.write("\(line)\n", to: STDERR_FILENO)
        return
      }
      state.lines.append(line)
      if state.lines.count > Self.limit { state.lines.removeFirst() }
    }
  }

  /// The last lines that were added while a panel was shown.
  func last(_ count: Int) -> [String] { state.withLock { Array($0.lines.suffix(count)) } }

  /// Keeps lines for a panel from now on.
  func show() { state.withLock { $0.isShown = true } }

  /// Writes the kept lines, and all further ones, to standard error.
  func hide() {
    state.withLock { state in
      state.isShown = false
      let text = state.lines.map { "\($0)\n" }.joined()
      state.lines = []
      if !text.isEmpty { Terminal.write(text, to: STDERR_FILENO) }
    }
  }
}
