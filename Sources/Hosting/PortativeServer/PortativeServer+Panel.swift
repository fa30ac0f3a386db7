import LiveAudio
package import LiveMIDI
package import NodeDirectory
package import NodeProtocol
package import NodeServer

// What a panel needs besides the control socket.
extension PortativeServer {
  /// Returns the port of a component.
  ///
  /// - Throws: `noSuchPort` if there is none.
  package func publishedPort(
    _ component: ComponentDescription
  ) throws(ProtocolError) -> PublishedPort { try server.port(component) }

  /// The keys that are held or were struck on each port, by its name.
  package var playedKeys: [String: [PlayedKey]] {
    Dictionary(server.ports.map { ($0.description.name, $0.input.playedKeys) }) { $1 }
  }

  /// Returns the zones that keyboards play on a port, in the notation of the configuration; `nil` if there are none.
  package func zones(of component: ComponentDescription) -> String? {
    (try? scenes.zones(of: component)) ?? nil
  }

  /// Closes the sound device and opens it again.
  package func restartSound() {
    observer.log("the sound device is restarted")
    devices.playback?.restart()
  }
}
