package import CLV2

/// An atom object: its class and its properties.
///
/// Realtime: yes.
package struct AtomObject: BitwiseCopyable {
  /// The object's class.
  package let type: LV2_URID
  package let properties: AtomReader

  /// - Returns: `nil` if the event is no object.
  @_noLocks package init?(_ event: AtomRecord, _ types: AtomTypes) {
    guard event.type == types.object || event.type == types.blank, event.body.count >= 8,
      let start = event.body.baseAddress
    else { return nil }
    type = start.loadUnaligned(fromByteOffset: 4, as: LV2_URID.self)
    properties = AtomReader(
      UnsafeRawBufferPointer(start: start + 8, count: event.body.count - 8))
  }

  /// Returns the property and the value that a `patch:Set` sets; `nil` if one is missing.
  @_noLocks package func patch(_ types: AtomTypes) -> (key: LV2_URID, value: AtomRecord)? {
    var records = properties
    var key: LV2_URID = 0
    var value: AtomRecord?
    while let property = records.removeFirst() {
      if property.key == types.patchProperty, property.type == types.urid, property.body.count >= 4
      {
        key = property.body.loadUnaligned(as: LV2_URID.self)
      }
      if property.key == types.patchValue { value = property }
    }
    guard key != 0, let value else { return nil }
    return (key, value)
  }
}
