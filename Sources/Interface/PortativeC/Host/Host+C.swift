public import CPortative
import FoundationEssentials
import LocalSystem
import NodeHost
import NodeProtocol

@_cdecl("portative_host_create")
public func portative_host_create(
  _ name: UnsafePointer<CChar>!, _ icon: UnsafePointer<CChar>!, _ url: UnsafePointer<CChar>!
) -> OpaquePointer! {
  OpaquePointer(
    retaining: AudioHost(name: String(cString: name), icon: String(icon), url: String(url)))
}

@_cdecl("portative_host_free")
public func portative_host_free(_ host: OpaquePointer!) { release(host) }

@_cdecl("portative_host_connect")
public func portative_host_connect(
  _ host: OpaquePointer!, _ component: UnsafePointer<portative_component>!, _ seconds: Double,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    let connection = try host.object(AudioHost.self).connect(
      to: Component(component), within: Duration(limitedTo: seconds))
    return ConnectionHandle.make(connection)
  }
}

@_cdecl("portative_host_describe")
public func portative_host_describe(
  _ host: OpaquePointer!, _ component: UnsafePointer<portative_component>!, _ seconds: Double,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    let details = try host.object(AudioHost.self).details(
      of: Component(component), within: Duration(limitedTo: seconds))
    return OpaquePointer(retaining: DetailsHandle(details))
  }
}

@_cdecl("portative_host_report")
public func portative_host_report(
  _ host: OpaquePointer!, _ node: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  attempt(error) {
    newString(try json(host.object(AudioHost.self).report(ofNode: String(cString: node))))
  }
}

@_cdecl("portative_host_command")
public func portative_host_command(
  _ host: OpaquePointer!, _ component: UnsafePointer<portative_component>!,
  _ command: UnsafePointer<portative_command>!, _ error: OpaquePointer!
) -> CInt {
  status(error) {
    try host.object(AudioHost.self).command(
      RemoteCommand(command), hostOf: Component(component))
  }
}

@_cdecl("portative_request_realtime_priority")
public func portative_request_realtime_priority(
  _ priority: CInt, _ error: OpaquePointer!
) -> CInt {
  attempt(error) { CInt(try AudioHost.requestRealtimePriority(Int(priority))) } ?? -1
}

@_cdecl("portative_keep_thread_on_processor")
public func portative_keep_thread_on_processor() { AudioHost.keepThreadOnProcessor() }

/// Returns the JSON form of a value. Equal values have equal strings.
func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// A `portative_details`.
final class DetailsHandle {
  private let memory = CMemory()
  let details: PortDetails
  let port: UnsafePointer<portative_port>?
  let parameters: ParametersHandle
  let presets: PresetList

  init(_ details: PortDetails) {
    self.details = details
    port = memory.array([portative_port(details.port, in: memory)])
    parameters = ParametersHandle(details.parameters)
    presets = PresetList(details.presets, portative_preset.init)
  }
}

@_cdecl("portative_details_free")
public func portative_details_free(_ details: OpaquePointer!) { release(details) }

@_cdecl("portative_details_port")
public func portative_details_port(_ details: OpaquePointer!) -> UnsafePointer<portative_port>! {
  details.object(DetailsHandle.self).port
}

@_cdecl("portative_details_latency")
public func portative_details_latency(_ details: OpaquePointer!) -> Int64 {
  Int64(details.object(DetailsHandle.self).details.latency)
}

@_cdecl("portative_details_tail")
public func portative_details_tail(_ details: OpaquePointer!) -> Int64 {
  details.object(DetailsHandle.self).details.tail.map { Int64($0) } ?? -1
}

@_cdecl("portative_details_parameters")
public func portative_details_parameters(_ details: OpaquePointer!) -> OpaquePointer! {
  details.object(DetailsHandle.self).parameters.handle
}

@_cdecl("portative_details_value")
public func portative_details_value(_ details: OpaquePointer!, _ index: UInt32) -> Float {
  let values = details.object(DetailsHandle.self).details.values
  return index < values.count ? values[Int(index)] : 0
}

@_cdecl("portative_details_presets")
public func portative_details_presets(_ details: OpaquePointer!) -> OpaquePointer! {
  details.object(DetailsHandle.self).presets.handle
}
