import LiveMIDI
import RenderCore
import Synchronization

/// A port as this process plays it on a sound device: the unit that keyboards play while no host has the port, and the
/// sounds of its zones.
///
/// A ``LocalPlayback`` makes the units when the device opens, and removes them when it closes.
///
/// Realtime: no. Threads: any.
public final class PlayedPort: Sendable {
  /// The port's name for the user.
  let name: String
  let input: LiveInput
  /// Makes the port's unit.
  let source: any RenderUnitSource
  /// Whether the unit has audio input.
  let takesAudio: Bool
  private let playback: LocalPlayback
  /// The units in the mix. Not those of the playback, whose queue may wait for a device.
  private let mixPorts = Mutex<[MixPort]>([])

  init(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, takesAudio: Bool,
    on playback: LocalPlayback
  ) {
    self.name = name
    self.input = input
    self.source = source
    self.takesAudio = takesAudio
    self.playback = playback
  }

  func isPlayed(by playback: LocalPlayback) -> Bool { self.playback === playback }

  /// Ends playing the port. What sounds fades out.
  public func remove() { playback.remove(self) }

  /// Sets the sounds that the zones of the port can play. They are made now if the device is open, otherwise as soon as
  /// it is. Sounds that remain are not touched. Those that are missing now are removed when their notes have ended.
  ///
  /// - Parameter done: Called on the queue of the playback when events can be sent to the sounds.
  package func setSounds(_ sounds: [ZoneSound], done: @escaping @Sendable () -> Void) {
    playback.setSounds(sounds, of: self, done: done)
  }

  /// Sets which sounds the zones of the port play now. The others cost no time after their notes have ended.
  package func setPlayedSounds(_ numbers: Set<UInt8>) {
    playback.setPlayedSounds(numbers, of: self)
  }

  /// Returns the greatest peaks of the sounds of the port since the last call, and resets them. Does not wait for a
  /// device that is just being opened.
  ///
  /// - Returns: `nil` if the port is not played on the device.
  package func takePeaks() -> StereoPeaks? {
    mixPorts.withLock { ports in
      ports.isEmpty ? nil : ports.reduce(StereoPeaks()) { $0.maximum($1.takePeaks()) }
    }
  }

  /// Sets the units whose peaks are read.
  func setMixPorts(_ ports: [MixPort]) {
    // The previous units are freed after the lock.
    let previous = mixPorts.withLock { current in
      let previous = current
      current = ports
      return previous
    }
    _ = previous
  }
}
