package import LiveAudio
import Synchronization

/// Records the events that a sound device reports.
package final class SoundEvents: Sendable {
  private let events = Mutex<[SoundDeviceEvent]>([])

  package init() {}

  package var all: [SoundDeviceEvent] { events.withLock { $0 } }

  package var xruns: Int {
    all.reduce(0) { sum, event in if case .xruns(let count) = event { sum + count } else { sum } }
  }

  /// The reason why the device was lost, or `nil`.
  package var loss: String? {
    for case .lost(let reason) in all { return reason }
    return nil
  }

  /// The handler to pass to the device.
  package var record: @Sendable (SoundDeviceEvent) -> Void {
    { event in self.events.withLock { $0.append(event) } }
  }
}
