/// Goes through a cycle from one happening to the next, so that each acts on its very frame.
///
/// A unit pulls step after step: everything that happens at a frame (first the transport, then parameters, then
/// MIDI), then the frames up to the next happening; until there is nothing left.
///
/// Realtime: yes.
public struct CycleSteps: BitwiseCopyable {
  public enum Step: BitwiseCopyable {
    case transport(Transport)
    case parameter(ParameterChange)
    case event(MIDIEvent)
    /// Frames in which nothing happens: 1 or more, from `begin` on.
    case frames(begin: Int, end: Int)
  }

  private let cycle: RenderCycle
  private var place = 0
  private var nextTransport = 0
  private var nextParameter = 0
  private var nextEvent = 0

  @_noLocks public init(_ cycle: RenderCycle) { self.cycle = cycle }

  /// - Returns: `nil` when the cycle is over.
  @_noLocks public mutating func next() -> Step? {
    let end = cycle.frames
    if place >= end { return nil }
    var until = end
    if nextTransport < cycle.transport.count {
      let point = cycle.transport[nextTransport]
      if Int(point.offset) <= place {
        nextTransport += 1
        return .transport(point.transport)
      }
      until = min(until, Int(point.offset))
    }
    if nextParameter < cycle.parameters.count {
      let change = cycle.parameters[nextParameter]
      if Int(change.offset) <= place {
        nextParameter += 1
        return .parameter(change)
      }
      until = min(until, Int(change.offset))
    }
    if nextEvent < cycle.events.count {
      let event = cycle.events[nextEvent]
      if Int(event.offset) <= place {
        nextEvent += 1
        return .event(event)
      }
      until = min(until, Int(event.offset))
    }
    defer { place = until }
    return .frames(begin: place, end: until)
  }
}
