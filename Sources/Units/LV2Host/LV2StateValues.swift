import CLV2
import CLilv
import LV2Atoms
import RenderCore

/// The state of an instance as the values of properties.
///
/// Threads: as the plugin's functions for its state.
struct LV2StateValues {
  private var values: [LV2_URID: Value] = [:]

  private struct Value {
    var type: LV2_URID
    var flags: UInt32
    var bytes: [UInt8]
  }

  /// Asks the plugin for its state.
  init(of instance: UnsafeMutablePointer<LilvInstance>, _ features: LV2Features) {
    guard let interface = Self.interface(instance) else { return }
    withUnsafeMutablePointer(to: &values) { values in
      _ = interface.save(
        instance.pointee.lv2_handle,
        { values, key, bytes, size, type, flags in
          guard let values, let bytes else { return LV2_STATE_ERR_UNKNOWN }
          values.assumingMemoryBound(to: [LV2_URID: Value].self).pointee[key] = Value(
            type: type, flags: flags,
            bytes: Array(UnsafeRawBufferPointer(start: bytes, count: size)))
          return LV2_STATE_SUCCESS
        }, values, Self.flags, features.list)
    }
  }

  /// The texts and paths, by the URIs of their properties.
  var texts: [String: String] {
    let types = ["String", "Path"].map { URINumbers.number(of: LV2URI.atom + $0) }
    var texts: [String: String] = [:]
    for (key, value) in values where types.contains(value.type) {
      guard let uri = URINumbers.uri(key) else { continue }
      texts[String(cString: uri)] = String(
        decoding: value.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return texts
  }

  /// Sets a property to the path of a file. It has the type that it has in the state.
  mutating func set(_ value: LV2PropertyValue) {
    let key = URINumbers.number(of: value.property.uri)
    let type = values[key]?.type ?? URINumbers.number(of: LV2URI.atom + "Path")
    values[key] = Value(type: type, flags: Self.flags, bytes: Array(value.text.utf8) + [0])
  }

  /// Gives the plugin the state.
  func restore(to instance: UnsafeMutablePointer<LilvInstance>, _ features: LV2Features) {
    guard let interface = Self.interface(instance) else { return }
    let memory = RenderMemory()
    var stored: [LV2_URID: StoredValue] = [:]
    for (key, value) in values {
      let bytes = memory.makeEach(max(1, value.bytes.count)) {
        $0 < value.bytes.count ? value.bytes[$0] : 0
      }
      stored[key] = StoredValue(
        bytes: bytes, count: value.bytes.count, type: value.type, flags: value.flags)
    }
    withUnsafeMutablePointer(to: &stored) { stored in
      _ = interface.restore(
        instance.pointee.lv2_handle,
        { stored, key, size, type, flags in
          let value = stored?.assumingMemoryBound(to: [LV2_URID: StoredValue].self).pointee[key]
          size?.pointee = value?.count ?? 0
          type?.pointee = value?.type ?? 0
          flags?.pointee = value?.flags ?? 0
          return value.map { UnsafeRawPointer($0.bytes) }
        }, stored, 0, features.list)
    }
    memory.release()
  }

  /// A value in memory of its own, which the plugin reads.
  private struct StoredValue {
    let bytes: UnsafeMutablePointer<UInt8>
    let count: Int
    let type: LV2_URID
    let flags: UInt32
  }

  private static let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue

  private static func interface(
    _ instance: UnsafeMutablePointer<LilvInstance>
  ) -> LV2_State_Interface? {
    lilv_instance_get_extension_data(instance, LV2URI.stateInterface)?
      .assumingMemoryBound(to: LV2_State_Interface.self).pointee
  }
}
