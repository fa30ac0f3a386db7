package import LiveAudio
import Synchronization

/// What a sound device has told.
package final class SoundEvents: Sendable {
  private let events = Mutex<[SoundDeviceEvent]>([])

  package init() {}

  package var all: [SoundDeviceEvent] { events.withLock { $0 } }

  package var xruns: Int {
    all.reduce(0) { sum, event in if case .xruns(let count) = event { sum + count } else { sum } }
  }

  /// Why it is lost; `nil`: it is not.
  package var loss: String? {
    for case .lost(let reason) in all { return reason }
    return nil
  }

  package var tell: @Sendable (SoundDeviceEvent) -> Void {
    { event in self.events.withLock { $0.append(event) } }
  }
}
