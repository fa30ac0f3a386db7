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
  /// The playbacks with devices of their own: those of ports, and that of a song.
  private let separate = Mutex<[(port: String, playback: LocalPlayback)]>([])

  /// - Parameter playback: Plays all ports.
  package init(_ playback: LocalPlayback) { devices = .one(playback) }

  /// - Parameter make: Makes a playback for each port.
  package init(separately make: @escaping Making) { devices = .separate(make) }

  private var all: [LocalPlayback] {
    switch devices {
    case .one(let playback): [playback]
    case .separate: separate.withLock { $0.map(\.playback) }
    }
  }

  /// Adds a port; see ``LocalPlayback/add(_:_:_:takesAudio:)``.
  ///
  /// - Returns: `nil` if the port takes no MIDI and would not have a device of its own.
  /// - Throws: If the port needs a playback of its own that cannot be made.
  package func add(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, _ signals: GraphSignals
  ) throws -> PlayedPort? {
    let playback: LocalPlayback
    switch devices {
    case .one(let shared):
      if !signals.takesMIDI { return nil }
      playback = shared
    case .separate(let make):
      playback = try make(name, signals)
      separate.withLock { $0.append((name, playback)) }
    }
    return playback.add(name, input, source, takesAudio: signals.takesAudio)
  }

  /// Opens an input of the mix as a device; see ``LocalPlayback/openInput(named:within:)``. If ports have devices of their
  /// own, so has the input.
  package func openInput(named name: String) throws(SoundDeviceError) -> MixDevice {
    switch devices {
    case .one(let shared): return try shared.openInput(named: name)
    case .separate(let make):
      var signals = GraphSignals()
      signals.isHeard = true
      let ownSignals = signals
      let result = separate.withLock { separate -> Result<LocalPlayback, any Error> in
        Result {
          if let made = separate.first(where: { $0.port == name }) { return made.playback }
          let playback = try make(name, ownSignals)
          separate.append((name, playback))
          return playback
        }
      }
      guard let playback = try? result.get() else {
        throw SoundDeviceError(
          device: name, isTemporary: true, reason: "a thread for it cannot be started")
      }
      return try playback.openInput(named: name)
    }
  }

  /// Removes a port, and closes its device if no other port can use it.
  package func remove(_ port: PlayedPort) {
    port.remove()
    let own = separate.withLock { separate in
      separate.firstIndex { port.isPlayed(by: $0.playback) }.map { separate.remove(at: $0) }
    }
    own?.playback.stop()
  }

  /// Reports on which device the ports will play. Devices of their own report that when they are opened.
  package func announce() {
    if case .one(let playback) = devices { playback.announce() }
  }

  /// Records what is heard from now on; see ``LocalPlayback/record(with:)``.
  ///
  /// - Throws: If the recorder of a port with a device of its own cannot be made. The others record.
  package func record(with recorder: Recorder?) throws {
    if case .one(let playback) = devices { return playback.record(with: recorder) }
    for (port, playback) in separate.withLock({ $0 }) {
      playback.record(with: try recorder?.recorder(of: port, isNameFixed: false))
    }
  }

  /// Closes all devices, and opens those again that are needed.
  package func restart() {
    for playback in all { playback.restart() }
  }

  /// Closes all devices.
  package func stop() {
    for playback in all { playback.stop() }
    separate.withLock { $0 = [] }
  }
}
