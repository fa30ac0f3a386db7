import LiveAudio
import Synchronization

/// Collects the events that a sound device reports on its threads.
///
/// Threads: any.
final class DeviceEventLog: Sendable {
  private struct State {
    var events: [SoundDeviceEvent] = []
    var xruns = 0
    var loss: String?
  }

  private let state = Mutex(State())

  func receive(_ event: SoundDeviceEvent) {
    state.withLock { state in
      switch event {
      case .lost(let reason): state.loss = reason
      case .xruns(let count):
        if state.xruns == 0 { state.events.append(event) }
        state.xruns += count
      case .notRealtime, .resumed, .lengthened, .refusedMIDI: state.events.append(event)
      }
    }
  }

  /// The number of xruns.
  var xruns: Int { state.withLock { $0.xruns } }

  /// The reason why the device is lost; `nil` if it is not.
  var loss: String? { state.withLock { $0.loss } }

  /// Removes and returns the events since the last call: not the loss, and of the xruns only the first.
  func take() -> [SoundDeviceEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}
