import Glibc
import Synchronization

/// A progress bar on standard error, if that is a terminal; nothing elsewhere.
///
/// It is drawn at most ten times a second, and erased before anything else is said there. How long
/// songs are that have not been begun is reckoned from those that have.
/// Threads: any.
final class Progress: Sendable {
  /// What is left to do of one song, in seconds.
  struct Share: Sendable {
    fileprivate var left: Double
  }

  private struct State {
    var done = 0.0
    var begunSongs = 0
    /// Seconds of the songs begun.
    var begun = 0.0
    var isDrawn = false
    var nextDrawing: ContinuousClock.Instant
  }
  private let state: Mutex<State>
  private let began = ContinuousClock.now
  private let name: String
  private let songs: Int
  private let isShown: Bool

  /// - Parameter isShown: Whether it was wished for; a terminal is needed all the same.
  init(name: String, songs: Int, isShown: Bool) {
    // What is over at once needs no bar.
    state = Mutex(State(nextDrawing: began + .milliseconds(200)))
    self.name = name
    self.songs = songs
    self.isShown = isShown && Terminal.errorIsTerminal
  }

  /// Begins a song.
  func begin(seconds: Double) -> Share {
    state.withLock {
      $0.begunSongs += 1
      $0.begun += seconds
    }
    return Share(left: seconds)
  }

  /// Tells that `seconds` of a song have been rendered. Cheap enough for every block.
  func advance(_ share: inout Share, by seconds: Double) {
    let step = min(seconds, share.left)
    share.left -= step
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
    ProgressLine(
      name: name, done: state.done,
      total: state.begun / Double(state.begunSongs) * Double(songs), elapsed: elapsed)
  }

  /// Ends a song, whatever of it was left.
  func end(_ share: Share) {
    state.withLock { $0.done += share.left }
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
