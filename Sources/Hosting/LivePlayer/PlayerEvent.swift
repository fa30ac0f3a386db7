import Configuration
package import LiveAudio
package import NodeProtocol

/// An event of a song that is played. Its description is a sentence for the user.
package enum PlayerEvent: Sendable, CustomStringConvertible {
  case nodeStarting(name: String)
  case nodeLoading(name: String, process: Int32)
  case connected(port: String, node: String, process: Int32)
  case nodeLost(reason: String)
  /// A node has sent too many transport commands.
  case tooManyCommands(port: String, Peer)
  case nodeReturned(ports: [String], seconds: Double)
  case sound(DeviceKeeper.Event)
  /// The number of xruns, when the song is over.
  case xruns(Int)
  case recorder(RecorderEvent)
  case loopTooShort
  /// Changes that the user requested are impossible.
  case notChanged(reason: String)
  /// Who gives bars and tempo to JACK.
  case timebase(TransportLead.Timebase)
  /// A sentence about the Link session.
  case link(String)

  package var description: String {
    switch self {
    case .nodeStarting(let name): "starting the node '\(name)'"
    case .nodeLoading(let name, let process):
      "waiting for the node '\(name)' (process \(process)) to load"
    case .connected(let port, let node, let process):
      "\(port): node '\(node)', process \(process)"
    case .nodeLost(let reason): "\(reason); the song continues without it until it returns"
    case .tooManyCommands(let port, let node):
      "warning: the node '\(node.name)' (process \(node.processID)) of \(port) sends too many transport commands: "
        + "they are ignored until it has sent none for a second"
    case .nodeReturned(let ports, let seconds):
      "\(ports.joined(separator: " and ")) \(ports.count == 1 ? "plays" : "play") again after "
        + "\(decimal(seconds, digits: 1)) s"
    case .sound(.device(.notRealtime(let error))): "warning: \(error)"
    case .sound(.device(let event)): "warning: \(event)"
    case .sound(let event): event.description
    case .xruns(let count):
      "the sound was interrupted \(count) times: use longer cycles (--cycle), or close other programs"
    case .recorder(.warning(let sentence)), .recorder(.failed(let sentence, _)):
      "warning: \(sentence)"
    case .recorder(let event): event.description
    case .timebase(.other):
      "warning: another program is JACK's timebase master: JACK gets its bars and tempo, not the song's; "
        + "end it, or use --timebase take"
    case .timebase(.successor):
      "warning: another program is now JACK's timebase master: JACK gets its bars and tempo, not the song's"
    case .timebase(.song): "JACK gets the song's bars and tempo"
    case .timebase(.nobody): "JACK gets no bars and no tempo"
    case .link(let sentence): sentence
    case .notChanged(let reason): reason
    case .loopTooShort: "a loop must be at least 10 ms long, but the song is shorter"
    }
  }
}
