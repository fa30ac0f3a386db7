import Glibc
import RenderCore
import Synchronization
import Threads

/// An open sound device, and the mix that it plays.
///
/// Threads: one at a time; the device tells what happens on others.
final class LocalPlaybackDevice: Sendable {
  private let device: any SoundDevice
  private let mixer: Mixer
  private let birth = MonotonicClock.now
  private let hasStarted = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)

  init(_ device: any SoundDevice, bell: DeferredWorkSignal) {
    self.device = device
    mixer = Mixer(device.format, bell: bell)
  }

  var format: Format { device.format }
  var summary: String { device.summary }
  /// What the summary begins with.
  var name: String {
    summary.firstRange(of: ": ").map { String(summary[..<$0.lowerBound]) } ?? summary
  }
  var isHeard: Bool { mixer.isHeard }
  /// Whether the device has taken a cycle.
  var hasPlayed: Bool { mixer.hasPlayed }
  /// Seconds since it was opened.
  var age: Double { Double(MonotonicClock.now - birth) / 1e9 }
  /// Whether it has to be closed, for it plays no more.
  var isLost: Bool { hasEnded.load(ordering: .acquiring) }

  func start(
    tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    try device.start(mixer.renderer) { [weak self] event in
      if case .lost = event { self?.hasEnded.store(true, ordering: .releasing) }
      tell(event)
    }
    hasStarted.store(true, ordering: .releasing)
  }

  func stop() { device.stop() }

  /// Changes what is mixed.
  ///
  /// - Returns: `false` when the device has taken no notice of it for a second, and so is lost.
  func mix(_ ports: [MixPort]) -> Bool {
    let isNoticed = mixer.set(ports, isRunning: isRunning)
    if !isNoticed { hasEnded.store(true, ordering: .releasing) }
    return isNoticed
  }

  /// Lets a port fade, as long as that takes.
  func silence(_ port: MixPort) {
    port.isWanted = false
    let limit = MonotonicClock.now + 300_000_000
    while isRunning, port.isHeard, MonotonicClock.now < limit { usleep(2000) }
  }

  private var isRunning: Bool { hasStarted.load(ordering: .acquiring) && !isLost }
}
