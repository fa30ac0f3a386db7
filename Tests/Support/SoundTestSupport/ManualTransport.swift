import LiveAudio
import RenderCore

/// The transport of a simulated graph, with the states of JACK's: a change acts with the next cycle; before it plays, and
/// after it was moved, it waits for at least a cycle, and until the leading song is ready.
package struct ManualTransport: Sendable {
  private enum State {
    case stopped
    case starting
    case rolling
  }

  private var state = State.stopped
  /// The frame at the beginning of the next cycle.
  package var frame: Int64 = 0
  private var changes: [TransportChange] = []
  var lead: TransportLead?
  /// Whether the transport waits for the song. JACK does not wait for ever.
  package var waits = true

  package var isRolling: Bool {
    if case .rolling = state { true } else { false }
  }

  mutating func add(_ change: TransportChange) { changes.append(change) }

  /// Returns the transport of the next cycle.
  mutating func next() -> Transport {
    if changes.isEmpty, case .starting = state, !waits || lead?.isReady(at: UInt32(frame)) ?? true {
      state = .rolling
    }
    for change in changes {
      switch change {
      case .start: if !isRolling { state = .starting }
      case .stop: state = .stopped
      case .locate(let target):
        frame = target
        if isRolling { state = .starting }
      }
    }
    changes = []
    return transport
  }

  var transport: Transport {
    var transport = Transport(provides: [.state, .songFrame])
    transport.isPlaying = isRolling
    transport.songFrame = frame
    return transport
  }

  mutating func endCycle(_ frames: Int) {
    if isRolling { frame += Int64(frames) }
    if let location = lead?.takeLocation() { changes.append(.locate(frame: Int64(location))) }
  }
}
