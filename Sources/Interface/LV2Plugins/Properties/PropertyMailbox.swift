import CLV2
import LocalSystem

/// Passes the value of a property from one thread to another. It holds one value.
///
/// Realtime: yes, except for creation and ``destroy()``. `@unchecked Sendable`: the state is atomic, and says which
/// thread may use the rest.
struct PropertyMailbox: @unchecked Sendable, BitwiseCopyable {
  /// 0 while the mailbox is empty, 1 while it is full.
  private let state = SharedWords(count: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  private let bytes = UnsafeMutableRawPointer.allocate(
    byteCount: Self.maximumLength, alignment: 8)

  /// The value of a property.
  struct Value: BitwiseCopyable {
    let key: LV2_URID
    /// The type of the atom.
    let type: LV2_URID
    /// The atom's bytes, valid until ``PropertyMailbox/clear()``.
    let bytes: UnsafeRawBufferPointer

    @_noLocks init(key: LV2_URID, type: LV2_URID, bytes: UnsafeRawBufferPointer) {
      self.key = key
      self.type = type
      self.bytes = bytes
    }
  }

  /// The length of the longest path of the system, in bytes.
  static var maximumLength: Int { @_noLocks get { 4096 } }

  init() {
    value.initialize(
      to: Value(key: 0, type: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  func destroy() {
    state.destroy()
    value.deallocate()
    bytes.deallocate()
  }

  /// Passes a value. Only one thread may call this.
  ///
  /// - Parameter new: A value of at most ``maximumLength`` bytes, which are copied.
  /// - Returns: Whether there was room.
  @_noLocks func put(_ new: Value) -> Bool {
    if state[0].value != 0 || new.bytes.count > Self.maximumLength { return false }
    let copy = UnsafeRawBufferPointer(start: bytes, count: new.bytes.count)
    value.pointee = Value(key: new.key, type: new.type, bytes: copy)
    if let start = new.bytes.baseAddress {
      bytes.copyMemory(from: start, byteCount: new.bytes.count)
    }
    state[0].store(1)
    return true
  }

  /// The value; `nil` if there is none. Only the receiving thread may read it.
  var content: Value? { @_noLocks get { state[0].value == 0 ? nil : value.pointee } }

  /// Empties the mailbox. Only the receiving thread may call this.
  @_noLocks func clear() { state[0].store(0) }
}
