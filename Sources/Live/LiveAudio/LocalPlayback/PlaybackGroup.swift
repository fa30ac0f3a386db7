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
  /// The playbacks of ports with devices of their own.
  private let separate = Mutex<[LocalPlayback]>([])

  /// - Parameter playback: Plays all ports.
  package init(_ playback: LocalPlayback) { devices = .one(playback) }

  /// - Parameter make: Makes a playback for each port.
  package init(separately make: @escaping Making) { devices = .separate(make) }

  private var all: [LocalPlayback] {
    switch devices {
    case .one(let playback): [playback]
    case .separate: separate.withLock { $0 }
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
      separate.withLock { $0.append(playback) }
    }
    return playback.add(name, input, source, takesAudio: signals.takesAudio)
  }

  /// Removes a port, and closes its device if no other port can use it.
  package func remove(_ port: PlayedPort) {
    port.remove()
    let own = separate.withLock { separate in
      separate.firstIndex { port.isPlayed(by: $0) }.map { separate.remove(at: $0) }
    }
    own?.stop()
  }

  /// Reports on which device the ports will play. Devices of their own report that when they are opened.
  package func announce() {
    if case .one(let playback) = devices { playback.announce() }
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
