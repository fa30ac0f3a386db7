import ALSA
import LiveAudio
import NodeProtocol
import NodeServer

/// A port of a server: published for hosts, and played by keyboards.
struct ServedPort {
  let loaded: LoadedPort
  let published: PublishedPort
  let devices: Devices

  /// The devices of a port.
  struct Devices {
    /// The port on the sound device; `nil` if it is not played there.
    var played: PlayedPort?
    /// The port of the ALSA sequencer; `nil` if keyboards cannot play it.
    var address: PortAddress?
  }

  var name: String { published.description.name }
}
