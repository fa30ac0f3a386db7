import Dispatch
import LiveAudio
import LocalSystem
import RenderCore
import Synchronization

/// The device that a measurement plays on, and its events.
///
/// Threads: any.
final class MeasuredOutput: Sendable {
  private struct State {
    var device: LatencyReport.Output?
    var error: String?
    var xruns = 0
  }

  private let name: String
  private let openDevice: DeviceKeeper.Opening
  private let state = Mutex(State())
  private let isSettled = DispatchSemaphore(value: 0)

  init(name: String, open: @escaping DeviceKeeper.Opening) {
    self.name = name
    openDevice = open
  }

  func open() throws(SoundDeviceError) -> any SoundDevice {
    let device = try openDevice()
    let output = LatencyReport.Output(
      summary: device.summary, sampleRate: device.format.sampleRate,
      period: device.format.maximumFrames, buffered: device.latency)
    state.withLock { $0.device = output }
    return device
  }

  func receive(_ event: LocalPlaybackEvent) {
    switch event {
    case .sound(.device(.xruns(let count))): state.withLock { $0.xruns += count }
    case .sound(.device(.lengthened(let frames))):
      state.withLock { state in
        guard let device = state.device else { return }
        state.device?.buffered = frames - device.period
      }
    case .sound(.lost(let reason)):
      state.withLock { $0.error = SoundDeviceEvent.lost(reason: reason).description }
    case .sound(.silent(let error)): state.withLock { $0.error = error.description }
    case .failed: state.withLock { $0.error = event.description }
    case .sound, .ready, .closed, .slow, .notRenewed: break
    }
    isSettled.signal()
  }

  /// Waits until the device plays, for at most 10 s.
  func wait() throws(Failure) -> LatencyReport.Output {
    let isInTime = isSettled.wait(timeout: .now() + 10) == .success
    try check()
    guard isInTime, let device = state.withLock({ $0.device }) else {
      throw Failure(
        .failed, "the sound device '\(name)' did not open within 10 s: choose another with --audio")
    }
    return device
  }

  /// - Throws: ``Failure`` if the device has stopped playing.
  func check() throws(Failure) {
    if let error = state.withLock({ $0.error }) { throw Failure(.failed, error) }
  }

  var xruns: Int { state.withLock { $0.xruns } }
}
