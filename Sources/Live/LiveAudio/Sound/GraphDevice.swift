package import LocalSystem
package import RenderCore

/// A sound device that is a client of a graph of programs. Its cycles may have MIDI events, audio input and a transport.
package protocol GraphDevice: SoundDevice {
  /// Not 0 while the graph requests cycles without a deadline. Valid as long as the device exists.
  var freewheeling: SharedWord { get }

  /// The graph's transport now; `nil` if the device is stopped. Threads: any.
  var transport: Transport? { get }

  /// Lets a song lead the transport: the graph gets the song's bars and tempo, and waits for the song before it plays from
  /// another position. Must be called before the device is started.
  ///
  /// - Parameter lead: Must exist until the device has stopped.
  func follow(_ lead: TransportLead)

  /// Changes the transport, for all programs of the graph. Threads: any.
  ///
  /// - Returns: `false` if the graph has refused the change, has not answered within a second, or the device is stopped.
  func change(_ change: TransportChange) -> Bool
}

/// A change of the transport of a graph of programs.
package enum TransportChange: Equatable, Sendable {
  /// Plays from the present position.
  case start
  case stop
  /// Moves to a frame, 0 or greater, and continues to play or to be stopped.
  case locate(frame: Int64)
}

/// The signals that a port exchanges with the other programs of a graph.
package struct GraphSignals: Equatable, Sendable {
  package var takesMIDI: Bool
  package var sendsMIDI: Bool
  package var takesAudio: Bool
  /// The names of the stereo pairs of audio outputs. All pairs together are what is heard.
  package var outputPairs: [String]
  /// Whether the outputs are connected to those of the system although there is no MIDI, as with a song.
  package var isHeard = false

  package init(
    takesMIDI: Bool = false, sendsMIDI: Bool = false, takesAudio: Bool = false,
    outputPairs: [String] = ["out"]
  ) {
    self.outputPairs = outputPairs
    self.takesMIDI = takesMIDI
    self.sendsMIDI = sendsMIDI
    self.takesAudio = takesAudio
  }
}
