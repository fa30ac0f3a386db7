import CObjects
public import CPortative
import NodeHost

/// A `portative_details`.
final class DetailsHandle {
  private let memory = CMemory()
  let details: PortDetails
  let port: UnsafePointer<portative_port>?
  let parameters: ParametersHandle
  let presets: PresetsHandle

  init(_ details: PortDetails) {
    self.details = details
    port = memory.array([portative_port(details.port, in: memory)])
    parameters = ParametersHandle(details.parameters)
    presets = PresetsHandle(details.presets)
  }
}

@c @implementation
public func portative_details_free(_ details: OpaquePointer!) { release(details) }

@c @implementation
public func portative_details_port(_ details: OpaquePointer!) -> UnsafePointer<portative_port>! {
  details.object(DetailsHandle.self).port
}

@c @implementation
public func portative_details_latency(_ details: OpaquePointer!) -> Int64 {
  Int64(details.object(DetailsHandle.self).details.latency)
}

@c @implementation
public func portative_details_tail(_ details: OpaquePointer!) -> Int64 {
  details.object(DetailsHandle.self).details.tail.map { Int64($0) } ?? -1
}

@c @implementation
public func portative_details_parameters(_ details: OpaquePointer!) -> OpaquePointer! {
  details.object(DetailsHandle.self).parameters.handle
}

@c @implementation
public func portative_details_value(_ details: OpaquePointer!, _ index: UInt32) -> Float {
  details.object(DetailsHandle.self).details.values[at: index] ?? 0
}

@c @implementation
public func portative_details_presets(_ details: OpaquePointer!) -> OpaquePointer! {
  details.object(DetailsHandle.self).presets.handle
}
