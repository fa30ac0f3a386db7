/// A set of keys, 0…127.
struct KeySet: Equatable, BitwiseCopyable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  @_noLocks init() {}

  var isEmpty: Bool { @_noLocks get { low | high == 0 } }

  @_noLocks func contains(_ key: UInt8) -> Bool {
    (key < 64 ? low >> UInt64(key) : high >> UInt64(key & 63)) & 1 == 1
  }

  @_noLocks mutating func insert(_ key: UInt8) {
    if key < 64 { low |= 1 << UInt64(key) } else { high |= 1 << UInt64(key & 63) }
  }

  @_noLocks mutating func remove(_ key: UInt8) {
    if key < 64 { low &= ~(1 << UInt64(key)) } else { high &= ~(1 << UInt64(key & 63)) }
  }

  @_noLocks mutating func removeAll() {
    low = 0
    high = 0
  }
}
