public import CPortative
import NodeHost
import RenderCore

// Realtime: yes, except round trips.

@_noLocks @c @implementation
public func portative_connection_received_count(_ connection: OpaquePointer!) -> UInt32 {
  let events = connection.connection._withUnsafeGuaranteedRef { $0.receivedEvents.events }
  return UInt32(truncatingIfNeeded: events.count)
}

@_noLocks @c @implementation
public func portative_connection_get_received(
  _ connection: OpaquePointer!, _ index: UInt32, _ event: UnsafeMutablePointer<portative_event>!
) -> Bool {
  let cycle = connection.connection._withUnsafeGuaranteedRef { $0.receivedEvents }
  if Int(index) >= cycle.events.count { return false }
  event.pointee = portative_event(cycle.events[Int(index)], of: cycle)
  return true
}

@_noLocks @c @implementation
public func portative_connection_get_defects(
  _ connection: OpaquePointer!, _ defects: UnsafeMutablePointer<portative_defects>!
) {
  let found = connection.connection._withUnsafeGuaranteedRef { $0.defects }
  var fields = portative_defects()
  fields.late_notes = UInt64(truncatingIfNeeded: found.lateNotes)
  fields.invalid_samples = UInt64(truncatingIfNeeded: found.invalidSamples)
  fields.invalid_input_samples = UInt64(truncatingIfNeeded: found.invalidInputSamples)
  copy(&fields, MemoryLayout<portative_defects>.size, to: defects)
}

@_noLocks @c @implementation
public func portative_connection_get_statistics(
  _ connection: OpaquePointer!, _ statistics: UnsafeMutablePointer<portative_statistics>!
) {
  let found = connection.connection._withUnsafeGuaranteedRef { $0.statistics }
  var fields = portative_statistics()
  fields.cycles = UInt64(truncatingIfNeeded: found.cycles)
  fields.late_cycles = UInt64(truncatingIfNeeded: found.lateCycles)
  fields.received_events = UInt64(truncatingIfNeeded: found.receivedEvents)
  fields.late_events = UInt64(truncatingIfNeeded: found.lateEvents)
  fields.malformed_events = UInt64(truncatingIfNeeded: found.malformedEvents)
  fields.refused_events = UInt64(truncatingIfNeeded: found.refusedEvents)
  fields.late_notes = UInt64(truncatingIfNeeded: found.lateNotes)
  fields.invalid_samples = UInt64(truncatingIfNeeded: found.invalidSamples)
  fields.invalid_input_samples = UInt64(truncatingIfNeeded: found.invalidInputSamples)
  fields.longest_round_trip = found.roundTrips.longest
  copy(&fields, MemoryLayout<portative_statistics>.size, to: statistics)
}

@c @implementation
public func portative_connection_round_trip(
  _ connection: OpaquePointer!, _ part: Double
) -> Int64 {
  // NaN is 0, too.
  let part = part > 0 ? min(part, 1) : 0
  return connection.connectionObject.statistics.roundTrips.quantile(part)
}
