public import CPortative
import RenderCore

// The functions for a cycle. Realtime: yes. Threads: the render thread.

extension UnsafePointer<portative_cycle> {
  /// The state of the unit that renders the cycle.
  fileprivate var state: UnsafeMutablePointer<CUnitState> {
    @_noLocks get {
      pointee.library.unsafelyUnwrapped.assumingMemoryBound(to: CUnitState.self)
    }
  }
}

@_noLocks @_cdecl("portative_cycle_next")
public func portative_cycle_next(
  _ cycle: UnsafePointer<portative_cycle>!
) -> UnsafePointer<portative_step>! {
  cycle.state.pointee.reader.next()
}

@_noLocks @_cdecl("portative_cycle_value")
public func portative_cycle_value(
  _ cycle: UnsafePointer<portative_cycle>!, _ index: UInt32
) -> Float {
  let state = cycle.state
  return Int(index) < state.pointee.reader.values.count
    ? state.pointee.reader.values[Int(index)] : 0
}

@_noLocks @_cdecl("portative_cycle_value_after")
public func portative_cycle_value_after(
  _ cycle: UnsafePointer<portative_cycle>!, _ index: UInt32, _ frames: UInt32
) -> Float {
  let state = cycle.state
  if Int(index) >= state.pointee.reader.values.count { return 0 }
  return state.pointee.reader.values.value(Int(index), after: Int(frames))
}

@_noLocks @_cdecl("portative_cycle_is_ramping")
public func portative_cycle_is_ramping(_ cycle: UnsafePointer<portative_cycle>!) -> Bool {
  cycle.state.pointee.reader.values.isRamping
}

@_noLocks @_cdecl("portative_cycle_send")
public func portative_cycle_send(
  _ cycle: UnsafePointer<portative_cycle>!, _ offset: UInt32, _ bytes: UnsafePointer<UInt8>!,
  _ count: UInt32
) -> Bool {
  let bytes = UnsafeBufferPointer(start: bytes, count: Int(count))
  guard var event = portative_event(bytes) else { return false }
  event.offset = offset
  return send(event, cycle)
}

@_noLocks @_cdecl("portative_cycle_send_event")
public func portative_cycle_send_event(
  _ cycle: UnsafePointer<portative_cycle>!, _ event: UnsafePointer<portative_event>!
) -> Bool {
  send(event.pointee, cycle)
}

@_noLocks private func send(
  _ event: portative_event, _ cycle: UnsafePointer<portative_cycle>
) -> Bool {
  let state = cycle.state
  guard state.pointee.reader.isRendering, let content = event.event else { return false }
  let bytes = MIDICycle(frames: 1, sysEx: event.systemExclusiveBytes)
  return state.pointee.reader.source.midiOutput.pass(content, of: bytes)
}

@_noLocks @_cdecl("portative_cycle_count_late_notes")
public func portative_cycle_count_late_notes(
  _ cycle: UnsafePointer<portative_cycle>!, _ count: UInt32
) {
  cycle.state.pointee.reader.source.feedback.count(lateNotes: Int(count))
}

@_noLocks @_cdecl("portative_cycle_advance")
public func portative_cycle_advance(_ cycle: UnsafePointer<portative_cycle>!) {
  cycle.state.pointee.reader.source.feedback.advance()
}
