import CObjects
public import CPortative
import FoundationEssentials
import NodeHost
import NodeProtocol
import Synchronization

@c @implementation
public func portative_connection_parameters(_ connection: OpaquePointer!) -> OpaquePointer! {
  connection.connectionResources.parameters.withLock { $0.handle }
}

@c @implementation
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

@c @implementation
public func portative_connection_set_parameters(
  _ connection: OpaquePointer!, _ values: UnsafePointer<portative_value>!, _ count: UInt32,
  _ error: OpaquePointer!
) -> CInt {
  status(error) {
    try connection.connectionObject.setParameters([String: Float](values, count: count))
  }
}

@c @implementation
public func portative_connection_presets(
  _ connection: OpaquePointer!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    OpaquePointer(retaining: PresetsHandle(try connection.connectionObject.presets()))
  }
}

@c @implementation
public func portative_connection_use_preset(
  _ connection: OpaquePointer!, _ index: UInt32, _ error: OpaquePointer!
) -> CInt {
  status(error) { try connection.connectionObject.usePreset(Int(index)) }
}

@c @implementation
public func portative_connection_save_state(
  _ connection: OpaquePointer!, _ error: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  attempt(error) { newString(try json(connection.connectionObject.saveState())) }
}

@c @implementation
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
