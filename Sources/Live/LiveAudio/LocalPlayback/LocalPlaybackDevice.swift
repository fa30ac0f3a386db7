import Glibc
import LiveMIDI
import RenderCore
import Synchronization
import Threads

/// An open sound device, and the mix that it plays.
///
/// Threads: one at a time. The device reports its events on other threads.
final class LocalPlaybackDevice: Sendable {
  private let device: any SoundDevice
  private let mixer: Mixer
  private let openingTime = MonotonicClock.now
  private let hasStarted = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)
  /// The reason of a loss that the device has reported, until it is taken.
  private let loss = Mutex<String?>(nil)

  init(
    _ device: any SoundDevice, signal: DeferredWorkSignal, link: LinkMemory?, recording: MixRing?
  ) {
    self.device = device
    mixer = Mixer(
      device.format, signal: signal, isRealTime: device.isRealTime,
      freewheeling: (device as? any GraphDevice)?.freewheeling, link: link, recording: recording)
  }

  var format: Format { device.format }
  /// The maximum number of events of the device in a cycle.
  var eventCapacity: EventCapacity {
    device is any GraphDevice ? EventCapacity(events: 4096, bytes: 1 << 16) : .none
  }
  var summary: String { device.summary }
  /// The device's name, with which the summary begins.
  var name: String {
    summary.firstRange(of: ": ").map { String(summary[..<$0.lowerBound]) } ?? summary
  }
  var isAudible: Bool { mixer.isAudible }
  /// Whether the device has requested a cycle.
  var hasPlayed: Bool { mixer.hasPlayed }
  /// The seconds since the device was opened.
  var age: Double { Double(MonotonicClock.now - openingTime) / 1e9 }
  /// Whether the device has stopped playing and must be closed.
  var isLost: Bool { hasEnded.load(ordering: .acquiring) }

  func start(
    report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    try device.start(mixer.renderer) { [weak self] event in
      if case .lost(let reason) = event, let self {
        loss.withLock { $0 = reason }
        hasEnded.store(true, ordering: .releasing)
      }
      report(event)
    }
    hasStarted.store(true, ordering: .releasing)
  }

  func stop() { device.stop() }

  /// Returns the reason of a loss that the device has reported, once.
  func takeLoss() -> String? {
    loss.withLock { loss in
      defer { loss = nil }
      return loss
    }
  }

  /// Replaces the list of ports in the mix. A lost device keeps its list, because its thread may use it until it is
  /// stopped.
  ///
  /// - Returns: `false` if the device has not used the new list within one second; it is lost then.
  func mix(_ ports: [MixPort]) -> Bool {
    if isLost { return true }
    let isInUse = mixer.set(ports, isRunning: isRunning)
    if !isInUse { hasEnded.store(true, ordering: .releasing) }
    return isInUse
  }

  /// Fades a port out, and waits for that for at most 300 ms.
  func silence(_ port: MixPort) {
    port.isEnabled = false
    let limit = MonotonicClock.now + 300_000_000
    while isRunning, port.isAudible, MonotonicClock.now < limit { usleep(2000) }
  }

  private var isRunning: Bool { hasStarted.load(ordering: .acquiring) && !isLost }
}
