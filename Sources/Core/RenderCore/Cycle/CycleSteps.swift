/// Divides a cycle into steps at its events, so that each event takes effect on its exact frame.
///
/// A unit calls ``next()`` until it returns `nil`. At each frame with events come the transport, then parameter
/// changes, then MIDI events; after these come the frames up to the next event.
///
/// Realtime: yes.
public struct CycleSteps: BitwiseCopyable {
  public enum Step: BitwiseCopyable {
    case transport(Transport)
    case parameter(ParameterChange)
    case event(MIDIEvent)
    /// Frames to render, without events between them: from `begin` up to but not including `end`, at least 1.
    case frames(begin: Int, end: Int)
  }

  private let cycle: RenderCycle
  private var frame = 0
  private var nextTransport = 0
  private var nextParameter = 0
  private var nextEvent = 0

  @_noLocks public init(_ cycle: RenderCycle) { self.cycle = cycle }

  /// Returns the next step; `nil` at the end of the cycle.
  @_noLocks public mutating func next() -> Step? {
    let end = cycle.frames
    if frame >= end { return nil }
    var until = end
    if nextTransport < cycle.transport.count {
      let point = cycle.transport[nextTransport]
      if Int(point.offset) <= frame {
        nextTransport += 1
        return .transport(point.transport)
      }
      until = min(until, Int(point.offset))
    }
    if nextParameter < cycle.parameters.count {
      let change = cycle.parameters[nextParameter]
      if Int(change.offset) <= frame {
        nextParameter += 1
        return .parameter(change)
      }
      until = min(until, Int(change.offset))
    }
    if nextEvent < cycle.events.count {
      let event = cycle.events[nextEvent]
      if Int(event.offset) <= frame {
        nextEvent += 1
        return .event(event)
      }
      until = min(until, Int(event.offset))
    }
    defer { frame = until }
    return .frames(begin: frame, end: until)
  }
}
