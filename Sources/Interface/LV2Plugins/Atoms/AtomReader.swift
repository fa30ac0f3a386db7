import CLV2

/// Reads the events of an atom sequence.
///
/// Sizes are checked against the sequence's own size, because a host may pass damaged data; an event that does not fit
/// ends the sequence. LV2 requires memory that is 8-byte aligned, but Ardour 7.3 passes memory that is not.
///
/// Realtime: yes.
struct AtomReader: BitwiseCopyable {
  /// An event of a sequence.
  struct Event: BitwiseCopyable {
    let frame: Int64
    let type: LV2_URID
    let body: UnsafeRawBufferPointer
  }

  private var next: UnsafeRawPointer
  private var remaining: Int

  /// - Parameter port: The memory of an atom port; `nil` or another atom for no events.
  @_noLocks init(_ port: UnsafeRawPointer?, _ types: AtomTypes) {
    let header = Self.headerSize
    next = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    remaining = 0
    guard let port else { return }
    let size = Int(port.loadUnaligned(as: UInt32.self))
    let type = port.loadUnaligned(fromByteOffset: 4, as: LV2_URID.self)
    guard type == types.sequence, size >= 8 else { return }
    next = port + header
    remaining = size - 8
  }

  /// The size of a sequence's header: the atom's, the unit and the padding.
  private static var headerSize: Int { @_noLocks get { 16 } }

  /// Returns the next event without removing it; `nil` at the end.
  var first: Event? {
    @_noLocks get {
      if remaining < 16 { return nil }
      let size = Int(next.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      if size > remaining - 16 { return nil }
      return Event(
        frame: next.loadUnaligned(as: Int64.self),
        type: next.loadUnaligned(fromByteOffset: 12, as: UInt32.self),
        body: UnsafeRawBufferPointer(start: next + 16, count: size))
    }
  }

  @_noLocks mutating func removeFirst() {
    guard let event = first else { return }
    let size = 16 + (event.body.count + 7) / 8 * 8
    next += min(size, remaining)
    remaining -= min(size, remaining)
  }
}

/// Reads the properties of an atom object.
///
/// Realtime: yes.
struct AtomProperties: BitwiseCopyable {
  private var next: UnsafeRawPointer
  private var remaining: Int
  /// The object's class.
  let type: LV2_URID

  struct Property: BitwiseCopyable {
    let key: LV2_URID
    let type: LV2_URID
    let value: UnsafeRawBufferPointer
  }

  /// - Returns: `nil` if the event is no object.
  @_noLocks init?(_ event: AtomReader.Event, _ types: AtomTypes) {
    guard event.type == types.object || event.type == types.blank, event.body.count >= 8,
      let start = event.body.baseAddress
    else { return nil }
    type = start.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    next = start + 8
    remaining = event.body.count - 8
  }

  /// Removes and returns the next property; `nil` at the end.
  @_noLocks mutating func removeFirst() -> Property? {
    if remaining < 16 { return nil }
    let size = Int(next.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    if size > remaining - 16 { return nil }
    let property = Property(
      key: next.loadUnaligned(as: UInt32.self),
      type: next.loadUnaligned(fromByteOffset: 12, as: UInt32.self),
      value: UnsafeRawBufferPointer(start: next + 16, count: size))
    let length = min(16 + (size + 7) / 8 * 8, remaining)
    next += length
    remaining -= length
    return property
  }
}

extension AtomProperties.Property {
  /// The value of a number of any type; `nil` for another value.
  @_noLocks func number(_ types: AtomTypes) -> Double? {
    guard let start = value.baseAddress else { return nil }
    if value.count >= 8 {
      if type == types.long { return Double(start.loadUnaligned(as: Int64.self)) }
      if type == types.double { return start.loadUnaligned(as: Double.self) }
    }
    if value.count >= 4 {
      if type == types.int { return Double(start.loadUnaligned(as: Int32.self)) }
      if type == types.float { return Double(start.loadUnaligned(as: Float.self)) }
    }
    return nil
  }
}
