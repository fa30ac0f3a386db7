import Glibc
import Synchronization

/// A progress bar on standard error, if that is a terminal; nothing elsewhere.
///
/// It is drawn at most ten times a second, and erased before anything else is said there.
/// Threads: any.
final class Progress: Sendable {
  private struct State {
    var line: ProgressLine
    var drawn: ContinuousClock.Instant?
  }
  private let state: Mutex<State>
  private let began = ContinuousClock.now
  private let isShown: Bool

  /// - Parameters:
  ///   - total: Seconds of song to be rendered.
  ///   - isShown: Whether it was wished for; a terminal is needed all the same.
  init(name: String, total: Double, isShown: Bool) {
    let line = ProgressLine(name: name, done: 0, total: total, elapsed: 0)
    state = Mutex(State(line: line))
    self.isShown = isShown && Terminal.errorIsTerminal
  }

  /// Says what is being rendered now, and how much there is to do in all.
  func update(name: String, total: Double) {
    state.withLock {
      $0.line.name = name
      $0.line.total = total
    }
  }

  /// Adds seconds of song that have been rendered. Cheap enough for every block.
  func advance(by seconds: Double) {
    guard isShown else { return }
    state.withLock { state in
      state.line.done += seconds
      let now = ContinuousClock.now
      if let drawn = state.drawn, now - drawn < .milliseconds(100) { return }
      state.drawn = now
      state.line.elapsed = (now - began) / .seconds(1)
      Terminal.write("\r\u{1B}[K\(state.line.text(columns: Terminal.columns))", to: STDERR_FILENO)
    }
  }

  /// Clears the line.
  func erase() {
    state.withLock { state in
      if state.drawn != nil { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
      state.drawn = nil
    }
  }
}
