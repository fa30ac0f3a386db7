import ALSA
import LiveAudio
import LocalSystem
import Synchronization

/// Records audio on a thread of its own until it is stopped.
///
/// Threads: any.
final class CapturedAudio: Sendable {
  private struct State {
    var levels: [Float] = []
    var stamps: [FrameStamp] = []
    var error: SoundDeviceError?
    var isStopping = false
  }

  private let rate: Int
  private let state = Mutex(State())
  private let thread = Mutex<SystemThread?>(nil)

  init(_ capture: ALSACapture) throws(SystemError) {
    rate = capture.rate
    let thread = try SystemThread(name: "portative-input") { self.run(capture) }
    self.thread.withLock { $0 = thread }
  }

  func stop() {
    state.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  /// The number of frames recorded so far.
  var count: Int { state.withLock { $0.levels.count } }

  /// Returns when clicks were captured, as CLOCK_MONOTONIC times in nanoseconds.
  ///
  /// - Parameter start: The first frame to search. Earlier frames may contain noise from plugging in a cable.
  /// - Throws: The error if the capture has failed.
  func clicks(from start: Int) throws(SoundDeviceError) -> [Int64] {
    let (levels, stamps, error) = state.withLock { state in
      (Array(state.levels[start...]), state.stamps, state.error)
    }
    if let error { throw error }
    guard let line = FrameLine(through: stamps) else { return [] }
    return ClickFinder.clicks(in: levels, rate: rate).map { line.time(of: start + $0) }
  }

  private func run(_ capture: ALSACapture) {
    do throws(SoundDeviceError) {
      try capture.start()
      while state.withLock({ !$0.isStopping }) {
        let sound = try capture.read()
        state.withLock { state in
          state.levels += sound.levels
          state.stamps.append(sound.stamp)
        }
      }
    } catch {
      state.withLock { $0.error = error }
    }
  }
}

/// Finds clicks in a recording.
enum ClickFinder {
  /// The peak level below which a recording is silent: −60 dBFS.
  private static let floor: Float = 0.001
  /// The least ratio of the loudest level to the mean level.
  private static let prominence: Float = 10

  /// - Parameter levels: The level of each frame.
  /// - Returns: The frames in which clicks start: where the level reaches half of the loudest level. Frames within 20
  ///   ms after a click belong to it, because converters ring and rooms echo.
  static func clicks(in levels: [Float], rate: Int) -> [Int] {
    guard let loudest = levels.max(), loudest >= floor,
      loudest >= prominence * levels.reduce(0, +) / Float(levels.count)
    else { return [] }
    var clicks: [Int] = []
    for (frame, level) in levels.enumerated() where level >= loudest / 2 {
      if let last = clicks.last, frame - last < rate / 50 { continue }
      clicks.append(frame)
    }
    return clicks
  }
}

/// Converts frame numbers of a recording to capture times, with a straight line through all stamps, because a single
/// stamp may be late by as much as its reader was.
///
/// The line is a least-squares fit.
struct FrameLine {
  private let origin: FrameStamp
  /// The time of the origin's frame on the line, in nanoseconds after the origin's stamp.
  private let begin: Double
  private let perFrame: Double

  /// - Returns: `nil` unless the stamps are of at least two different frames.
  init?(through stamps: [FrameStamp]) {
    guard let origin = stamps.first else { return nil }
    let frames = stamps.map { Double($0.frame - origin.frame) }
    let times = stamps.map { Double($0.time - origin.time) }
    let frame = frames.reduce(0, +) / Double(stamps.count)
    let time = times.reduce(0, +) / Double(stamps.count)
    let spread = frames.reduce(0) { $0 + ($1 - frame) * ($1 - frame) }
    guard spread > 0 else { return nil }
    self.origin = origin
    perFrame =
      zip(frames, times).reduce(0) { $0 + ($1.0 - frame) * ($1.1 - time) } / spread
    begin = time - perFrame * frame
  }

  /// Returns the capture time of a frame.
  ///
  /// - Returns: The CLOCK_MONOTONIC time in nanoseconds.
  func time(of frame: Int) -> Int64 {
    origin.time + Int64(begin + perFrame * Double(frame - origin.frame))
  }
}
