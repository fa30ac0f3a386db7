import LiveAudio
import RenderCore
import SoundTestSupport
import Synchronization

/// A sound card in virtual time: a cycle takes as long as its rendering, and no longer. It can be unplugged.
///
/// `@unchecked Sendable`: one thread plays; others open devices, under the lock.
final class SoakSound: @unchecked Sendable {
  private let state = Mutex(State())
  /// The virtual time in nanoseconds. It is years later than that of the machine's clock, with which the server times
  /// what it sends itself: an event whose time has not come keeps all events after it waiting.
  private(set) var now = SoakSound.start
  /// The nanoseconds for which a device has played, and for which the machine was suspended.
  private(set) var (played, asleep) = (Int64(0), Int64(0))
  private(set) var hasInvalidSamples = false
  private static let start: Int64 = 100_000_000_000_000_000

  private struct State {
    var device: ManualDevice?
    var format = Format(maximumFrames: 1024)
    var isPlugged = true
    var devices = 0
  }

  var hours: Double { Double(now - Self.start) / 3.6e12 }
  /// The number of devices that have been opened.
  var devices: Int { state.withLock { $0.devices } }
  var isRunning: Bool { device?.isRunning == true }
  private var device: ManualDevice? { state.withLock { $0.device } }

  var opening: DeviceKeeper.Opening {
    { [self] () throws(SoundDeviceError) in try open() }
  }

  private func open() throws(SoundDeviceError) -> any SoundDevice {
    let device = state.withLock { state -> ManualDevice? in
      guard state.isPlugged else { return nil }
      state.devices += 1
      let device = ManualDevice(state.format, "soak", isRealTime: false, isFreewheeling: true)
      state.device = device
      return device
    }
    guard let device else {
      throw SoundDeviceError(device: "soak", isTemporary: true, reason: "it is unplugged")
    }
    return device
  }

  /// Plays cycles for some virtual time, which also passes without a device.
  ///
  /// - Returns: The greatest absolute value of the samples.
  @discardableResult func play(seconds: Double) -> Float {
    let end = now + Int64(seconds * 1e9)
    var peak: Float = 0
    while now < end { peak = max(peak, cycle() ?? 0) }
    return peak
  }

  /// Plays a cycle.
  ///
  /// - Returns: The greatest absolute value of its samples; `nil` if no device runs.
  func cycle() -> Float? {
    guard let device, let peak = device.peak(now: now) else {
      now += 20_000_000
      return nil
    }
    let length =
      Int64(device.format.maximumFrames) * 1_000_000_000 / Int64(device.format.sampleRate)
    now += length
    played += length
    if !peak.isFinite { hasInvalidSamples = true }
    return peak
  }

  /// Sets the format of the next device.
  func setFormat(_ format: Format) { state.withLock { $0.format = format } }

  func unplug() {
    state.withLock { $0.isPlugged = false }
    device?.report(.lost(reason: "unplugged"))
  }

  func plug() { state.withLock { $0.isPlugged = true } }

  /// Lets time pass without cycles, as for a suspended machine.
  func suspend(seconds: Double) {
    jump(seconds: seconds)
    asleep += Int64(seconds * 1e9)
    device?.report(.resumed)
  }

  /// Steps the device's clock without notice.
  func jump(seconds: Double) { now += Int64(seconds * 1e9) }
}
