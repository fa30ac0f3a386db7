import Dispatch
package import RenderCore
import Synchronization

/// A sound device that is an input of the mix of a ``LocalPlayback``: what it plays is heard and recorded together with
/// the ports. It is lost when the device of the playback is.
///
/// It has two channels, and is rendered on the thread of the playback's device, after the ports.
///
/// Realtime: no. Threads: any.
package final class MixDevice: SoundDevice {
  package let format: Format
  package let summary: String
  package let isRealTime: Bool
  /// The device of the playback.
  private let device: any SoundDevice
  private let input: MixInput
  private let tap: TakeTap
  /// Whether the device of the playback is open.
  private let isOpen = Mutex(true)
  private let state = Mutex(State())
  private let onStop: @Sendable (MixDevice) -> Void

  private struct State {
    var report: (@Sendable (SoundDeviceEvent) -> Void)?
    var level: Float = 1
  }

  init(
    _ input: MixInput, of device: any SoundDevice, _ tap: TakeTap,
    onStop: @escaping @Sendable (MixDevice) -> Void
  ) {
    self.input = input
    self.device = device
    self.tap = tap
    self.onStop = onStop
    format = Format(
      sampleRate: device.format.sampleRate, maximumFrames: device.format.maximumFrames)
    (summary, isRealTime) = (device.summary, device.isRealTime)
  }

  package var latency: Int { device.latency }

  /// The factor of the samples, 0 or greater. A change is reached within 10 ms, without a click.
  package var level: Float {
    get { state.withLock { $0.level } }
    set {
      state.withLock { state in
        state.level = newValue
        if state.report != nil { input.level = newValue }
      }
    }
  }

  package func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    try state.withLock { state throws(SoundDeviceError) in
      guard isOpen.withLock({ $0 }) else { throw error("the sound device is closed") }
      guard input.begin(renderer, tap, level: state.level) else {
        throw error("another song is played")
      }
      state.report = report
    }
  }

  package func stop() {
    state.withLock { state in
      if state.report == nil { return }
      state.report = nil
      input.end(isPlayed: isOpen.withLock { $0 })
    }
    onStop(self)
  }

  /// Reports that the device of the playback does not play any more.
  func lose(because reason: String) {
    isOpen.withLock { $0 = false }
    state.withLock { $0.report }?(.lost(reason: reason))
  }

  private func error(_ reason: String) -> SoundDeviceError {
    SoundDeviceError(device: summary, isTemporary: true, reason: reason)
  }
}

/// The devices that are inputs of a playback's mix, and the requests for more.
///
/// Threads: the playback's queue.
struct MixDevices {
  private var devices: [MixDevice] = []
  private var requests: [MixDeviceRequest] = []

  /// Whether any needs the playback's device.
  var areWanted: Bool { !devices.isEmpty || !requests.isEmpty }

  mutating func add(_ request: MixDeviceRequest) { requests.append(request) }

  mutating func remove(_ request: MixDeviceRequest) { requests.removeAll { $0 === request } }

  mutating func remove(_ device: MixDevice) { devices.removeAll { $0 === device } }

  /// Answers the requests, because the playback's device plays.
  ///
  /// - Parameter make: Makes a device, given its name.
  mutating func open(_ make: (String) -> MixDevice) {
    for request in requests {
      let device = make(request.name)
      devices.append(device)
      // Nobody may be waiting any more.
      if !request.finish(.success(device)) { devices.removeLast() }
    }
    requests = []
  }

  /// Refuses the requests, because the playback's device cannot be used.
  mutating func refuse(_ error: SoundDeviceError) {
    for request in requests { _ = request.finish(.failure(error)) }
    requests = []
  }

  /// Reports that the playback's device is closed.
  mutating func lose(because reason: String) {
    let lost = devices
    devices = []
    for device in lost { device.lose(because: reason) }
  }
}

/// A request for a device of a mix, whose sender waits.
final class MixDeviceRequest: Sendable {
  let name: String
  private let state = Mutex<(answer: Result<MixDevice, SoundDeviceError>?, isOver: Bool)>(
    (nil, false))
  private let isDone = DispatchSemaphore(value: 0)

  init(_ name: String) { self.name = name }

  /// - Returns: `false` if the sender does not wait any more.
  func finish(_ answer: Result<MixDevice, SoundDeviceError>) -> Bool {
    let isAwaited = state.withLock { state in
      if !state.isOver { state.answer = answer }
      return !state.isOver
    }
    isDone.signal()
    return isAwaited
  }

  /// Waits for the answer.
  ///
  /// - Returns: `nil` if there is none within the time.
  func wait(seconds: Double) -> Result<MixDevice, SoundDeviceError>? {
    _ = isDone.wait(timeout: .now() + seconds)
    return state.withLock { state in
      state.isOver = true
      return state.answer
    }
  }
}
