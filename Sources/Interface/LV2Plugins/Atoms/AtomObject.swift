import CLV2

/// An atom object: its class and its properties.
///
/// Realtime: yes.
struct AtomObject: BitwiseCopyable {
  /// The object's class.
  let type: LV2_URID
  let properties: AtomReader

  /// - Returns: `nil` if the event is no object.
  @_noLocks init?(_ event: AtomRecord, _ types: AtomTypes) {
    guard event.type == types.object || event.type == types.blank, event.body.count >= 8,
      let start = event.body.baseAddress
    else { return nil }
    type = start.loadUnaligned(fromByteOffset: 4, as: LV2_URID.self)
    properties = AtomReader(
      UnsafeRawBufferPointer(start: start + 8, count: event.body.count - 8))
  }
}
