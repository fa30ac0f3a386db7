package import LiveMIDI
package import RenderCore
import Synchronization

/// Plays ports on sound devices: all on one, or each on a ``GraphDevice`` of its own.
///
/// Threads: any.
package final class PlaybackGroup: Sendable {
  /// Makes the playback of a port on a device of its own.
  package typealias Making =
    @Sendable (_ port: String, _ signals: GraphSignals) throws -> LocalPlayback

  private enum Devices: Sendable {
    case one(LocalPlayback)
    case separate(Making)
  }

  private let devices: Devices
  private let separate = Mutex<[ObjectIdentifier: LocalPlayback]>([:])

  /// - Parameter playback: Plays all ports.
  package init(_ playback: LocalPlayback) { devices = .one(playback) }

  /// - Parameter make: Makes a playback for each port.
  package init(separately make: @escaping Making) { devices = .separate(make) }

  /// Adds a port; see ``LocalPlayback/add(_:_:_:takesAudio:)``. A port that takes no MIDI is played only on a device of
  /// its own.
  ///
  /// - Throws: If the port needs a playback of its own that cannot be made.
  package func add(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, _ signals: GraphSignals
  ) throws {
    let playback: LocalPlayback
    switch devices {
    case .one(let shared):
      if !signals.takesMIDI { return }
      playback = shared
    case .separate(let make):
      let own = try make(name, signals)
      separate.withLock { $0[ObjectIdentifier(input)] = own }
      playback = own
    }
    playback.add(name, input, source, takesAudio: signals.takesAudio)
  }

  /// Removes a port.
  package func remove(_ input: LiveInput) {
    playback(of: input)?.remove(input)
    separate.withLock { $0.removeValue(forKey: ObjectIdentifier(input)) }?.stop()
  }

  /// Sets the sounds that the zones of a port can play; see ``LocalPlayback/setSounds(_:of:done:)``.
  package func setSounds(
    _ sounds: [ZoneSound], of input: LiveInput, done: @escaping @Sendable () -> Void
  ) {
    guard let playback = playback(of: input) else { return done() }
    playback.setSounds(sounds, of: input, done: done)
  }

  /// Sets which sounds the zones of a port play now.
  package func setPlayedSounds(_ numbers: Set<UInt8>, of input: LiveInput) {
    playback(of: input)?.setPlayedSounds(numbers, of: input)
  }

  /// Returns the peaks of a port since the last call; see ``LocalPlayback/takePeaks(of:)``.
  package func takePeaks(of input: LiveInput) -> StereoPeaks? {
    playback(of: input)?.takePeaks(of: input)
  }

  /// Reports on which device the ports will play. Devices of their own report that when they are opened.
  package func announce() {
    if case .one(let playback) = devices { playback.announce() }
  }

  /// Closes all devices, and opens those again that are needed.
  package func restart() {
    switch devices {
    case .one(let playback): playback.restart()
    case .separate: for playback in separate.withLock({ Array($0.values) }) { playback.restart() }
    }
  }

  /// Closes all devices.
  package func stop() {
    switch devices {
    case .one(let playback): playback.stop()
    case .separate:
      let all = separate.withLock { separate in
        defer { separate = [:] }
        return separate.values
      }
      for playback in all { playback.stop() }
    }
  }

  private func playback(of input: LiveInput) -> LocalPlayback? {
    switch devices {
    case .one(let playback): playback
    case .separate: separate.withLock { $0[ObjectIdentifier(input)] }
    }
  }
}
