import Configuration
import Glibc
import LocalSystem
import Synchronization

/// A progress bar on standard error; it does nothing if that is not a terminal.
///
/// The bar is drawn at most ten times per second, and erased before other output there. Threads: any.
final class Progress: Sendable {
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
    /// The remaining seconds of the songs in progress.
    var remaining: [Int: Double] = [:]
    /// The seconds of the started songs.
    var startedSeconds = 0.0
    /// The weight of the started songs. ``weight`` is that of all songs.
    var startedWeight = 0
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
  ///
  /// - Parameters:
  ///   - song: A number that identifies the song.
  ///   - seconds: Its length.
  ///   - weight: Its share of ``Load/weight``.
  func begin(song: Int = 0, seconds: Double, weight: Int = 1) {
    state.withLock {
      $0.startedWeight += weight
      $0.startedSeconds += seconds
      $0.remaining[song] = seconds
    }
  }

  /// Adds `seconds` of rendered audio to a song, at most its remaining length. Fast enough to be called for every
  /// block.
  func advance(song: Int = 0, by seconds: Double) {
    guard isShown else { return }
    state.withLock { state in
      let step = min(seconds, state.remaining[song] ?? 0)
      state.remaining[song]? -= step
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
    // The length of the other songs is estimated from the started ones.
    let rest = Double(state.weight) / Double(max(1, state.startedWeight))
    return ProgressLine(
      name: load.name ?? "\(state.endedSongs) of \(load.songs) songs",
      done: state.done, total: state.startedSeconds * max(1, rest), elapsed: elapsed)
  }

  /// Ends a song, which may not have begun.
  func end(song: Int = 0, weight: Int = 1) {
    state.withLock { state in
      if let remaining = state.remaining.removeValue(forKey: song) {
        state.done += remaining
      } else {
        state.weight -= weight
      }
      state.endedSongs += 1
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

/// The text of the progress bar: position, speed and remaining time.
struct ProgressLine: Equatable {
  /// The song's name, or a text such as "12 of 100 songs".
  var name: String
  /// The seconds of audio that are done, and the total.
  var done: Double
  var total: Double
  /// The seconds since the start.
  var elapsed: Double

  /// Returns the text with at most `columns` columns; the least important parts are omitted first.
  func text(columns: Int) -> String {
    let part = total > 0 ? max(0, min(1, done / total)) : 0
    var line = "\(clockText(done)) / \(clockText(total))"
    if elapsed >= 0.5, done > 0 {
      let speed = done / elapsed
      line += "  \(decimal(min(speed, 99_999), digits: speed < 9.95 ? 1 : 0))x"
      line += "  \(clockText((total - min(done, total)) / speed)) left"
    }
    let width = min(30, columns - line.count - 6)
    if width >= 5 {
      let full = Int(part * Double(width))
      let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
      line = "[\(bar)] \(line)"
    }
    let name = name.printable
    let room = columns - line.count - 3
    if room >= name.count {
      line = "\(name)  \(line)"
    } else if room >= 8 {
      line = "\(name.prefix(room - 1))…  \(line)"
    }
    return String(line.prefix(max(0, columns - 1)))
  }
}
