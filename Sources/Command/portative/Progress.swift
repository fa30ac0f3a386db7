import BatchRenderer
import Glibc
import Synchronization

/// A progress bar on standard error; it does nothing if that is not a terminal.
///
/// The bar is drawn at most ten times per second, and erased before other output there.
/// Threads: any.
final class Progress: RenderProgress {
  /// The work of a run.
  struct Load: Sendable {
    /// The name of the song, if there is only one.
    var name: String?
    var songs = 1
    /// The approximate work of all songs together, in any unit.
    var weight = 1
  }

  private struct State {
    var done = 0.0
    /// The seconds of the songs that have begun.
    var begun = 0.0
    /// The weight of the songs that have begun. ``weight`` is that of all songs.
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

  /// - Parameter isShown: Whether the bar is enabled; it still requires a terminal.
  init(_ load: Load, isShown: Bool) {
    // Delayed, because a short run needs no bar.
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

  /// Adds `seconds` of rendered audio to a song. Fast enough to be called for every block.
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
    // The length of the songs that have not begun is estimated from those that have.
    let rest = Double(state.weight) / Double(max(1, state.begunWeight))
    return ProgressLine(
      name: load.name ?? "\(state.endedSongs) of \(load.songs) songs",
      done: state.done, total: state.begun * max(1, rest), elapsed: elapsed)
  }

  /// Ends a song.
  ///
  /// - Parameters:
  ///   - share: The rest of the song; `nil` if it did not begin.
  ///   - weight: The weight of the song.
  func end(_ share: SongProgress?, weight: Int = 1) {
    state.withLock {
      $0.done += share?.left ?? 0
      if share == nil { $0.weight -= weight }
      $0.endedSongs += 1
    }
  }

  /// Erases the bar.
  func erase() { aside {} }

  /// Performs `body`, which writes to the terminal, with the bar erased.
  func aside(_ body: () -> Void) {
    state.withLock { state in
      if state.isDrawn { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
      state.isDrawn = false
      body()
    }
  }
}
