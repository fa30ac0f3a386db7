package import Threads

/// What happens at a ``SequencerBridge``, for a log or a panel. Its description is a sentence.
package enum BridgeEvent: Equatable, Sendable, CustomStringConvertible {
  /// What this sender plays is heard from a port of ours, by its name.
  case wired(sender: String, port: String)
  case unwired(sender: String, port: String)
  /// Nothing comes any more from a sender of Active Sensing: ``ActiveSensing``.
  case fellSilent(sender: String, port: String)
  /// It is heard again after that.
  case returned(sender: String, port: String)
  /// What the wiring policy wanted could not be done.
  case notWired(SequencerError)
  /// Since the last such event about this port; there is one in a second at most.
  case dropped(port: String, DroppedEvents)
  /// Events came faster than they were taken. Note-offs may be lost with them, so all that was played
  /// has been let go.
  case overrun
  /// The bridge's thread is an ordinary one.
  case refusedPriority(RealtimeRefusal)
  /// The sequencer failed, and the bridge is of no use any more.
  case failed(SequencerError)

  package var description: String {
    switch self {
    case .wired(let sender, let port): "\(port): played by \(sender)"
    case .unwired(let sender, let port): "\(port): no longer played by \(sender)"
    case .fellSilent(let sender, let port):
      "\(port): nothing comes from \(sender) any more, not even Active Sensing: is its cable plugged in? Its "
        + "notes have been ended"
    case .returned(let sender, let port): "\(port): \(sender) is heard again"
    case .notWired(let error): "\(error)"
    case .dropped(let port, let events):
      "\(port): MIDI events were left out: \(events)"
    case .overrun: "\(SequencerError.overrun); the notes that sounded have been ended"
    case .refusedPriority(let refusal): "keyboards may be heard late: \(refusal)"
    case .failed(let error): "keyboards are heard no more: \(error); start the server again"
    }
  }
}
