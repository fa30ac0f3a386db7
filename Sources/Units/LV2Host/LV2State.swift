import CLV2
import CLilv

/// The state of an instance as text, in Turtle.
enum LV2State {
  /// Returns the state of a plugin without the values of its ports. Files are named by their absolute paths.
  static func text(
    of instance: UnsafeMutablePointer<LilvInstance>, _ plugin: OpaquePointer, _ lilv: LilvReader,
    features: UnsafePointer<UnsafePointer<LV2_Feature>?>
  ) -> String? {
    let functions = lilv.functions.pointee
    var (map, unmap) = (URINumbers.map, URINumbers.unmap)
    guard
      let state = functions.state_new_from_instance(
        plugin, instance, &map, nil, nil, nil, nil, nil, nil,
        LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue, features)
    else { return nil }
    defer { functions.state_free(state) }
    guard
      let text = functions.state_to_string(
        lilv.world, &map, &unmap, state, "urn:portative:state", nil)
    else { return nil }
    defer { functions.free(text) }
    return String(cString: text)
  }

  /// Reads a text of ``text(of:_:_:features:)``.
  ///
  /// - Returns: A state that the caller frees; `nil` if the text is damaged.
  static func parse(_ text: String, _ lilv: LilvReader) -> OpaquePointer? {
    var map = URINumbers.map
    return lilv.functions.pointee.state_new_from_string(lilv.world, &map, text)
  }
}
