import BatchRenderer
import Glibc
import Synchronization

/// A progress bar on standard error, if that is a terminal; nothing elsewhere.
///
/// It is drawn at most ten times a second, and erased before anything else is said there.
/// Threads: any.
final class Progress: RenderProgress {
  /// What is on its way.
  struct Load: Sendable {
    /// The song's name, where it is one.
    var name: String?
    var songs = 1
    /// Of all songs together, in any unit: how much work each is, about.
    var weight = 1
  }

  private struct State {
    var done = 0.0
    /// Seconds of the songs begun.
    var begun = 0.0
    /// What they weigh, and what all do.
    var begunWeight = 0
    var weight: Int
    var endedSongs = 0
    var isDrawn = false
    var nextDrawing: ContinuousClock.Instant
  }
  private let state: Mutex<State>
  private let began = ContinuousClock.now
  private let load: Load
  private let isShown: Bool

  /// - Parameter isShown: Whether it was wished for; a terminal is needed all the same.
  init(_ load: Load, isShown: Bool) {
    // What is over at once needs no bar.
    state = Mutex(State(weight: load.weight, nextDrawing: began + .milliseconds(200)))
    self.load = load
    self.isShown = isShown && Terminal.errorIsTerminal
  }

  /// Begins a song.
  func begin(seconds: Double, weight: Int = 1) -> SongProgress {
    state.withLock {
      $0.begunWeight += weight
      $0.begun += seconds
    }
    return SongProgress(seconds: seconds)
  }

  /// Tells that `seconds` of a song have been rendered. Cheap enough for every block.
  func advance(_ share: inout SongProgress, by seconds: Double) {
    let step = share.advance(by: seconds)
    guard isShown else { return }
    state.withLock { state in
      state.done += step
      let now = ContinuousClock.now
      if now < state.nextDrawing { return }
      state.nextDrawing = now + .milliseconds(100)
      state.isDrawn = true
      let line = line(state, elapsed: (now - began) / .seconds(1))
      Terminal.write("\r\u{1B}[K\(line.text(columns: Terminal.columns))", to: STDERR_FILENO)
    }
  }

  private func line(_ state: State, elapsed: Double) -> ProgressLine {
    // How long songs are that have not been begun is reckoned from those that have.
    let rest = Double(state.weight) / Double(max(1, state.begunWeight))
    return ProgressLine(
      name: load.name ?? "\(state.endedSongs) of \(load.songs) songs",
      done: state.done, total: state.begun * max(1, rest), elapsed: elapsed)
  }

  /// Ends a song.
  ///
  /// - Parameters:
  ///   - share: Whatever of it was left; `nil` if it was not begun.
  ///   - weight: Its weight.
  func end(_ share: SongProgress?, weight: Int = 1) {
    state.withLock {
      $0.done += share?.left ?? 0
      if share == nil { $0.weight -= weight }
      $0.endedSongs += 1
    }
  }

  /// Clears the line.
  func erase() { aside {} }

  /// Says something on the terminal, without the bar in between.
  func aside(_ body: () -> Void) {
    state.withLock { state in
      if state.isDrawn { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
      state.isDrawn = false
      body()
    }
  }
}
