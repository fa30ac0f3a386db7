public import CPortative
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization

@c @implementation
public func portative_connection_close(_ connection: OpaquePointer!) {
  connection.connectionObject.close()
}

@c @implementation
public func portative_connection_port(
  _ connection: OpaquePointer!
) -> UnsafePointer<portative_port>! {
  connection.connectionResources.port
}

@c @implementation
public func portative_connection_node(
  _ connection: OpaquePointer!, _ processID: UnsafeMutablePointer<Int32>!
) -> UnsafePointer<CChar>! {
  processID?.pointee = connection.connectionObject.node.processID
  return connection.connectionResources.node
}

@c @implementation
public func portative_connection_initialize(
  _ handle: OpaquePointer!, _ initialization: UnsafePointer<portative_initialization>!,
  _ error: OpaquePointer!
) -> CInt {
  status(error) {
    let fields = portative_initialization(initialization)
    let connection = handle.connectionObject
    defer { handle.updateParameters() }
    connection.lateLimit = fields.late_limit == 0 ? 50 : Int(fields.late_limit)
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

@c @implementation
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

@c @implementation
public func portative_connection_get_status(
  _ connection: OpaquePointer!, _ status: UnsafeMutablePointer<portative_connection_status>!
) {
  var found = portative_connection_status(connection.connectionObject.status)
  copy(&found, MemoryLayout<portative_connection_status>.size, to: status)
}

@c @implementation
public func portative_connection_status_text(
  _ connection: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  newString(connection.connectionObject.status.description)
}

@c @implementation
public func portative_connection_show(_ connection: OpaquePointer!) {
  connection.connectionObject.show()
}

@c @implementation
public func portative_connection_latency(_ connection: OpaquePointer!) -> Int64 {
  Int64(connection.connectionObject.latency)
}

@c @implementation
public func portative_connection_tail(_ connection: OpaquePointer!) -> Int64 {
  connection.connectionObject.tail.map { Int64($0) } ?? -1
}
