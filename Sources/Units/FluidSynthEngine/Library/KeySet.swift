/// A set of keys, 0…127.
struct KeySet: Equatable, BitwiseCopyable {
  private var keys: UInt128 = 0

  @_noLocks init() {}

  var isEmpty: Bool { @_noLocks get { keys == 0 } }

  @_noLocks func contains(_ key: UInt8) -> Bool { keys & Self.bit(key) != 0 }

  @_noLocks mutating func insert(_ key: UInt8) { keys |= Self.bit(key) }

  @_noLocks mutating func remove(_ key: UInt8) { keys &= ~Self.bit(key) }

  @_noLocks mutating func removeAll() { keys = 0 }

  @_noLocks private static func bit(_ key: UInt8) -> UInt128 { 1 &<< UInt128(key) }
}
