import LiveAudio
import LocalSystem
import NodeDirectory
import NodeProtocol
package import NodeServer

extension PortativeServer {
  /// The ports, also while ``publish(_:)`` loads a SoundFont on another thread.
  package var publishedPorts: [PublishedPort] { server.ports }

  var statusWithoutPorts: ServerStatus {
    var status = ServerStatus(node: server.peer.name)
    status.sound = server.sound
    status.xruns = devices.xruns
    status.scene = scenes.status
    return status
  }

  /// Returns the peaks of a port on the sound device since the reader's last call; `nil` if it is not played there.
  func takePeaks(of port: PublishedPort, by reader: Int) -> StereoPeaks? {
    devices.playback?.takePeaks(of: port.input).map {
      peaks.take(ObjectIdentifier(port), by: reader, $0)
    }
  }

  /// Chooses the next scene of the set list for 1, or the previous one for −1. An error is logged.
  package func stepScene(_ step: Int) { scenes.play(.step(step)) }

  /// Ends everything that sounds in real time, on all ports. Errors are logged. May take a second for each host.
  package func silence() {
    for port in server.ports {
      for error in port.silence() {
        observer.log(error: "\(port.description.name) cannot be silenced: \(error)")
      }
    }
    observer.log("panic: everything was silenced")
  }
}
