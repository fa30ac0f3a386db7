import ALSAAudio
import LiveAudio
import Synchronization
import Threads

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
