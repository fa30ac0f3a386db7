package import LiveAudio
package import NodeProtocol

/// The status of a running server, for display.
package struct ServerStatus: Equatable, Sendable {
  package var node: String
  /// The sound device with its settings; `nil` while it is closed.
  package var sound: String?
  /// The number of xruns of the sound device since the server was started.
  package var xruns = 0
  /// `nil`: the server has no scenes.
  package var scene: Scene?
  /// The song beside the keyboards; `nil`: none is loaded.
  package var song: NodeReport.Song?
  /// The transposition of all ports in semitones.
  package var transposition = 0
  package var ports: [Port] = []

  package init(node: String) { self.node = node }

  package struct Port: Equatable, Sendable {
    package var name: String
    /// The preset that is played; `nil` without a unit, or if the unit plays several.
    package var preset: String?
    /// The number of active voices; `nil` if the unit does not report it.
    package var voices: Int?
    /// The greatest number of voices so far; `nil` if the unit does not report it.
    package var mostVoices: Int?
    /// The cycles that came too late to be heard; `nil` while the port is not played.
    package var lateCycles: Int?
    /// The peaks on the sound device since the last status; `nil` while the port is not played on the device.
    package var peaks: StereoPeaks?
    /// The first host.
    package var host: String?
    package var hostCount = 0
    /// The keyboards and programs that play the port.
    package var players: [String] = []

    package init(name: String) { self.name = name }
  }

  package struct Scene: Equatable, Sendable {
    /// `nil`: none has been chosen.
    package var name: String?
    /// The place in the set list, from 1; `nil`: the scene is not in it.
    package var place: Int?
    /// The number of places in the set list.
    package var count: Int
    /// The next scene of the set list; `nil` at its end.
    package var next: String?
    /// What the player wants to read.
    package var text: String?

    package init(name: String?, place: Int?, count: Int) {
      (self.name, self.place, self.count) = (name, place, count)
    }
  }
}
