public import CPortative
import FoundationEssentials
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization

@_cdecl("portative_connection_close")
public func portative_connection_close(_ connection: OpaquePointer!) {
  connection.connectionObject.close()
}

@_cdecl("portative_connection_port")
public func portative_connection_port(
  _ connection: OpaquePointer!
) -> UnsafePointer<portative_port>! {
  connection.connectionResources.port
}

@_cdecl("portative_connection_node")
public func portative_connection_node(
  _ connection: OpaquePointer!, _ processID: UnsafeMutablePointer<Int32>!
) -> UnsafePointer<CChar>! {
  processID?.pointee = connection.connectionObject.node.processID
  return connection.connectionResources.node
}

@_cdecl("portative_connection_initialize")
public func portative_connection_initialize(
  _ handle: OpaquePointer!, _ initialization: UnsafePointer<portative_initialization>!,
  _ error: OpaquePointer!
) -> CInt {
  status(error) {
    let fields = portative_initialization(initialization)
    let connection = handle.connectionObject
    defer { handle.updateParameters() }
    connection.lateLimit =
      fields.late_limit == 0 ? Connection.usualLateLimit : Int(fields.late_limit)
    // The default for NaN, too.
    let fraction = fields.deadline_fraction
    connection.deadlineFraction = fraction > 0 ? min(fraction, 1e6) : 0.9
    let limit = fields.stall_limit
    connection.stallLimit =
      limit < 0 ? nil : limit > 0 ? Duration(limitedTo: limit) : .seconds(10)
    let priority = fields.priority == 0 ? nil : max(0, Int(fields.priority))
    try connection.initialize(
      Format(fields), mode: fields.is_offline ? .offline : .realtime, priority: priority)
  }
}

@_cdecl("portative_connection_uninitialize")
public func portative_connection_uninitialize(_ connection: OpaquePointer!) {
  connection.connectionObject.uninitialize()
  connection.updateParameters()
}

extension OpaquePointer {
  fileprivate func updateParameters() {
    let parameters = ParametersHandle(connectionObject.parameters)
    connectionResources.parameters.withLock { $0 = parameters }
  }
}

extension Format {
  fileprivate init(_ fields: portative_initialization) {
    self.init(
      sampleRate: Int(fields.sample_rate), inputChannels: Int(fields.input_channels),
      outputChannels: Int(fields.output_channels), maximumFrames: Int(fields.maximum_frames))
  }
}

@_cdecl("portative_connection_get_status")
public func portative_connection_get_status(
  _ connection: OpaquePointer!, _ status: UnsafeMutablePointer<portative_connection_status>!
) {
  var found = portative_connection_status(connection.connectionObject.status)
  copy(&found, MemoryLayout<portative_connection_status>.size, to: status)
}

@_cdecl("portative_connection_status_text")
public func portative_connection_status_text(
  _ connection: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  newString(connection.connectionObject.status.description)
}

@_cdecl("portative_connection_show")
public func portative_connection_show(_ connection: OpaquePointer!) {
  connection.connectionObject.show()
}

@_cdecl("portative_connection_latency")
public func portative_connection_latency(_ connection: OpaquePointer!) -> Int64 {
  Int64(connection.connectionObject.latency)
}

@_cdecl("portative_connection_tail")
public func portative_connection_tail(_ connection: OpaquePointer!) -> Int64 {
  connection.connectionObject.tail.map { Int64($0) } ?? -1
}

@_cdecl("portative_connection_parameters")
public func portative_connection_parameters(_ connection: OpaquePointer!) -> OpaquePointer! {
  connection.connectionResources.parameters.withLock { $0.handle }
}

@_cdecl("portative_connection_get_values")
public func portative_connection_get_values(
  _ connection: OpaquePointer!, _ values: UnsafeMutablePointer<Float>!, _ count: UInt32,
  _ error: OpaquePointer!
) -> Int32 {
  attempt(error) {
    let all = try connection.connectionObject.parameterValues()
    for (index, value) in all.prefix(Int(count)).enumerated() { values[index] = value }
    return Int32(all.count)
  } ?? -1
}

@_cdecl("portative_connection_set_parameters")
public func portative_connection_set_parameters(
  _ connection: OpaquePointer!, _ values: UnsafePointer<portative_value>!, _ count: UInt32,
  _ error: OpaquePointer!
) -> CInt {
  status(error) {
    try connection.connectionObject.setParameters([String: Float](values, count: count))
  }
}

@_cdecl("portative_connection_presets")
public func portative_connection_presets(
  _ connection: OpaquePointer!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    OpaquePointer(
      retaining: PresetList(try connection.connectionObject.presets(), portative_preset.init))
  }
}

@_cdecl("portative_connection_use_preset")
public func portative_connection_use_preset(
  _ connection: OpaquePointer!, _ index: UInt32, _ error: OpaquePointer!
) -> CInt {
  status(error) { try connection.connectionObject.usePreset(Int(index)) }
}

@_cdecl("portative_connection_save_state")
public func portative_connection_save_state(
  _ connection: OpaquePointer!, _ error: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  attempt(error) { newString(try json(connection.connectionObject.saveState())) }
}

@_cdecl("portative_connection_restore_state")
public func portative_connection_restore_state(
  _ connection: OpaquePointer!, _ state: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> CInt {
  status(error) {
    let bytes = Data(String(cString: state).utf8)
    guard let state = try? JSONDecoder().decode(UnitState.self, from: bytes) else {
      throw Reason(
        "badState", "the state is malformed: pass what portative_connection_save_state returned")
    }
    try connection.connectionObject.restoreState(state)
  }
}

public typealias ChangeFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_connection_status>?) -> Void
public typealias NoticeFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_notice>?) -> Void
public typealias CommandFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_command>?) -> Bool

@_cdecl("portative_connection_on_change")
public func portative_connection_on_change(
  _ connection: OpaquePointer!, _ changed: ChangeFunction!, _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(changed, context)
  connection.connectionResources.replace(\.change, by: callback)
  guard let callback else {
    connection.connectionObject.onChange = nil
    return
  }
  connection.connectionObject.onChange = { state in
    var status = portative_connection_status(state)
    _ = callback.call { $0($1, &status) }
  }
}

@_cdecl("portative_connection_on_notice")
public func portative_connection_on_notice(
  _ connection: OpaquePointer!, _ noticed: NoticeFunction!, _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(noticed, context)
  connection.connectionResources.replace(\.notice, by: callback)
  guard let callback else {
    connection.connectionObject.onNotice = nil
    return
  }
  connection.connectionObject.onNotice = { notice in
    func call(_ link: UnsafePointer<CChar>?) {
      var notice = portative_notice(notice, link)
      _ = callback.call { $0($1, &notice) }
    }
    if case .page(let link) = notice { link.withCString(call) } else { call(nil) }
  }
}

@_cdecl("portative_connection_accept_commands")
public func portative_connection_accept_commands(
  _ connection: OpaquePointer!, _ kinds: UInt32, _ execute: CommandFunction!,
  _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(execute, context)
  connection.connectionResources.replace(\.command, by: callback)
  let supported = RemoteCommand.Kind.allCases.filter {
    kinds & 1 << portative_command_kind($0).rawValue != 0
  }
  connection.connectionObject.acceptCommands(callback == nil ? [] : Set(supported)) { command in
    var command = portative_command(command)
    return callback?.call { $0($1, &command) } ?? false
  }
}

func removeCallbacks(of connection: OpaquePointer) {
  let resources = connection.connectionResources
  resources.replace(\.change, by: nil)
  resources.replace(\.notice, by: nil)
  resources.replace(\.command, by: nil)
}

extension ConnectionResources {
  /// Replaces a callback. The old one is not running afterwards.
  fileprivate func replace<Function>(
    _ path: WritableKeyPath<Callbacks, Callback<Function>?>,
    by new: Callback<Function>?
  ) {
    let old = callbacks.withLock { callbacks in
      let old = callbacks[keyPath: path]
      callbacks[keyPath: path] = new
      return old
    }
    // Not under the mutex, because a callback that is running may set another one.
    old?.remove()
  }
}

extension portative_connection_status {
  init(_ status: ConnectionState) {
    self.init()
    size = UInt32(MemoryLayout<Self>.size)
    switch status {
    case .open: state = PORTATIVE_OPEN
    case .initialized: state = PORTATIVE_INITIALIZED
    case .parked(let reason):
      state = PORTATIVE_PARKED
      park_reason = portative_park_reason(reason)
    case .lost(let reason):
      state = PORTATIVE_LOST
      loss_reason = portative_loss_reason(reason)
    }
  }
}

extension portative_park_reason {
  init(_ reason: ParkReason) {
    self =
      switch reason {
      case .late: PORTATIVE_PARKED_LATE
      case .notRendered: PORTATIVE_PARKED_NOT_RENDERED
      }
  }
}

extension portative_loss_reason {
  fileprivate init(_ reason: LossReason) {
    self =
      switch reason {
      case .closed: PORTATIVE_LOST_CLOSED
      case .nodeEnded: PORTATIVE_LOST_NODE_ENDED
      case .portRemoved: PORTATIVE_LOST_PORT_REMOVED
      case .noAnswer: PORTATIVE_LOST_NO_ANSWER
      case .protocolViolation: PORTATIVE_LOST_PROTOCOL_VIOLATION
      }
  }
}

extension portative_notice {
  fileprivate init(_ notice: ConnectionNotice, _ link: UnsafePointer<CChar>?) {
    self.init()
    size = UInt32(MemoryLayout<Self>.size)
    self.link = link
    switch notice {
    case .latency(let latency):
      kind = PORTATIVE_NOTICE_LATENCY
      frames = Int64(latency)
    case .tail(let tail):
      kind = PORTATIVE_NOTICE_TAIL
      frames = tail.map { Int64($0) } ?? -1
    case .show: kind = PORTATIVE_NOTICE_SHOW
    case .settings: kind = PORTATIVE_NOTICE_SETTINGS
    case .page: kind = PORTATIVE_NOTICE_PAGE
    }
  }
}

// Realtime: yes, except round trips.

@_noLocks @_cdecl("portative_connection_received_count")
public func portative_connection_received_count(_ connection: OpaquePointer!) -> UInt32 {
  let events = connection.connection._withUnsafeGuaranteedRef { $0.receivedEvents.events }
  return UInt32(truncatingIfNeeded: events.count)
}

@_noLocks @_cdecl("portative_connection_get_received")
public func portative_connection_get_received(
  _ connection: OpaquePointer!, _ index: UInt32, _ event: UnsafeMutablePointer<portative_event>!
) -> Bool {
  let cycle = connection.connection._withUnsafeGuaranteedRef { $0.receivedEvents }
  if Int(index) >= cycle.events.count { return false }
  event.pointee = portative_event(cycle.events[Int(index)], of: cycle)
  return true
}

@_noLocks @_cdecl("portative_connection_get_defects")
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

@_noLocks @_cdecl("portative_connection_get_statistics")
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

@_cdecl("portative_connection_round_trip")
public func portative_connection_round_trip(
  _ connection: OpaquePointer!, _ part: Double
) -> Int64 {
  // NaN is 0, too.
  let part = part > 0 ? min(part, 1) : 0
  return connection.connectionObject.statistics.roundTrips.quantile(part)
}
