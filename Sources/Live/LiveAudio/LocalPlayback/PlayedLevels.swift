import LiveMIDI
import Synchronization

/// The ports in the mix of a sound device, by live input, for another thread that reads their levels while the private
/// queue of the playback opens a device.
///
/// Threads: any.
final class PlayedLevels: Sendable {
  private let ports = Mutex<[ObjectIdentifier: [MixPort]]>([:])

  func set(_ ports: [ObjectIdentifier: [MixPort]]) {
    // The previous ports are released, and their units freed, after the lock.
    let previous = self.ports.withLock { current in
      let previous = current
      current = ports
      return previous
    }
    _ = previous
  }

  /// Returns the greatest peaks of the sounds of a port since the last call, and resets them; `nil` if it is not in the
  /// mix.
  func take(_ input: LiveInput) -> StereoPeaks? {
    ports.withLock { ports in
      ports[ObjectIdentifier(input)]?.reduce(StereoPeaks()) { $0.maximum($1.takePeaks()) }
    }
  }
}
