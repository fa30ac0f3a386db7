package import LocalSystem

/// An event of a ``SequencerBridge``, for a log or a panel. Its description is a sentence.
package enum BridgeEvent: Equatable, Sendable, CustomStringConvertible {
  /// A sender was connected to one of our ports. Both are given by name.
  case wired(sender: String, port: String)
  case unwired(sender: String, port: String)
  /// A sender of Active Sensing timed out; see ``ActiveSensing``.
  case fellSilent(sender: String, port: String)
  /// A sender that had timed out sends again.
  case returned(sender: String, port: String)
  /// An action of the wiring policy failed.
  case notWired(SequencerError)
  /// Events were dropped since the last such report for this port. Reported at most once per second.
  case dropped(port: String, DroppedEvents)
  /// Events arrived faster than they were read. Note-offs may be among the lost events, so all sounding notes have
  /// been released.
  case overrun
  /// The bridge's thread has no realtime priority.
  case refusedPriority(RealtimePriorityError)
  /// The sequencer failed. The bridge cannot be used any more.
  case failed(SequencerError)

  package var description: String {
    switch self {
    case .wired(let sender, let port): "\(port): played by \(sender)"
    case .unwired(let sender, let port): "\(port): no longer played by \(sender)"
    case .fellSilent(let sender, let port):
      "\(port): nothing comes from \(sender) any more, not even Active Sensing: is its cable plugged in? Its "
        + "notes have been released"
    case .returned(let sender, let port): "\(port): \(sender) sends again"
    case .notWired(let error): "\(error)"
    case .dropped(let port, let events):
      "\(port): MIDI events were dropped: \(events)"
    case .overrun: "\(SequencerError.overrun); all sounding notes have been released"
    case .refusedPriority(let refusal): "keyboard input may be delayed: \(refusal)"
    case .failed(let error): "keyboard input has stopped: \(error); restart the server"
    }
  }
}
