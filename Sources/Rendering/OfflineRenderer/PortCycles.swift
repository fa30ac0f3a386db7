import MIDIFile
import RenderCore

/// Divides the cycles of a song among its ports.
///
/// Threads: one at a time.
final class PortCycles {
  /// The events of each port; empty if there is one port.
  private var events: [[MIDIEvent]]

  /// A cycle for one port.
  struct Part {
    var midi: MIDICycle
    /// The number of notes that start in it.
    var notes: Int
  }

  init(_ ports: Int) { events = ports == 1 ? [] : Array(repeating: [], count: ports) }

  /// Passes the cycle of each port to `body`, where they are valid.
  func divide<Result>(_ cycle: SongCycle, _ body: ([Part]) -> Result) -> Result {
    if events.isEmpty { return body([Part(midi: cycle.midi, notes: cycle.notes)]) }
    for port in events.indices { events[port].removeAll(keepingCapacity: true) }
    for (event, origin) in zip(cycle.midi.events, cycle.origins) {
      events[Int(origin.port)].append(event)
    }
    return divide(cycle, [], body)
  }

  /// - Parameter parts: Those of the first ports, which are valid during the call.
  private func divide<Result>(
    _ cycle: SongCycle, _ parts: [Part], _ body: ([Part]) -> Result
  ) -> Result {
    if parts.count == events.count { return body(parts) }
    return events[parts.count].withUnsafeBufferPointer { events in
      var part = Part(midi: cycle.midi, notes: events.count(where: \.startsNote))
      part.midi.events = events
      return divide(cycle, parts + [part], body)
    }
  }
}

extension MIDIEvent {
  fileprivate var startsNote: Bool {
    if case .channel(let message) = content { message.startsNote } else { false }
  }
}
