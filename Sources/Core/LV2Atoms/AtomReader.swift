import CLV2

/// Reads the events of an atom sequence or the properties of an atom object.
///
/// Sizes are checked against the size of the whole, because a host may pass damaged data; a record that does not fit
/// ends it. LV2 requires memory that is 8-byte aligned, but Ardour 7.3 passes memory that is not.
///
/// Realtime: yes.
package struct AtomReader: BitwiseCopyable {
  private var remaining: UnsafeRawBufferPointer

  /// - Parameter port: The memory of an atom port; `nil` or another atom for no events.
  @_noLocks package init(_ port: UnsafeRawPointer?, _ types: AtomTypes) {
    remaining = UnsafeRawBufferPointer(start: nil, count: 0)
    guard let port else { return }
    let size = Int(port.loadUnaligned(as: UInt32.self))
    let type = port.loadUnaligned(fromByteOffset: 4, as: LV2_URID.self)
    guard type == types.sequence, size >= 8 else { return }
    // After the atom's header, the sequence's unit and padding.
    remaining = UnsafeRawBufferPointer(start: port + 16, count: size - 8)
  }

  /// - Parameter records: The bytes of an object's properties.
  @_noLocks package init(_ records: UnsafeRawBufferPointer) { remaining = records }

  /// Returns the next record without removing it; `nil` at the end.
  package var first: AtomRecord? { @_noLocks get { AtomRecord(remaining) } }

  /// Removes and returns the next record; `nil` at the end.
  @discardableResult @_noLocks package mutating func removeFirst() -> AtomRecord? {
    guard let record = first, let start = remaining.baseAddress else { return nil }
    let size = min(AtomRecord.headerSize + (record.body.count + 7) / 8 * 8, remaining.count)
    remaining = UnsafeRawBufferPointer(start: start + size, count: remaining.count - size)
    return record
  }
}
