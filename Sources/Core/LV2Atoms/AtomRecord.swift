package import CLV2

/// An event of a sequence or a property of an object: an atom behind 8 bytes of its own.
///
/// Realtime: yes.
package struct AtomRecord: BitwiseCopyable {
  private let start: UnsafeRawPointer
  /// The bytes of the atom.
  package let body: UnsafeRawBufferPointer

  /// The bytes before the body.
  package static var headerSize: Int { @_noLocks get { 16 } }

  /// - Parameter bytes: The record and what follows it. They may be damaged.
  /// - Returns: `nil` if the record does not fit.
  @_noLocks package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize, let start = bytes.baseAddress else { return nil }
    let size = Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    if size > bytes.count - Self.headerSize { return nil }
    self.start = start
    body = UnsafeRawBufferPointer(start: start + Self.headerSize, count: size)
  }

  /// The frame of an event.
  package var frame: Int64 { @_noLocks get { start.loadUnaligned(as: Int64.self) } }
  /// The key of a property.
  package var key: LV2_URID { @_noLocks get { start.loadUnaligned(as: LV2_URID.self) } }
  /// The type of the atom.
  package var type: LV2_URID {
    @_noLocks get { start.loadUnaligned(fromByteOffset: 12, as: LV2_URID.self) }
  }

  /// The value of a number of any type; `nil` for another value.
  @_noLocks package func number(_ types: AtomTypes) -> Double? {
    guard let start = body.baseAddress else { return nil }
    if body.count >= 8 {
      if type == types.long { return Double(start.loadUnaligned(as: Int64.self)) }
      if type == types.double { return start.loadUnaligned(as: Double.self) }
    }
    if body.count >= 4 {
      if type == types.int { return Double(start.loadUnaligned(as: Int32.self)) }
      if type == types.float { return Double(start.loadUnaligned(as: Float.self)) }
    }
    return nil
  }
}
