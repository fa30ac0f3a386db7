// Commands as numbers, to compare them and to store them in recordings.
extension LaneCommand.Action {
  /// Equal for equal actions; 0 for actions that recordings do not support: further notes of a chain,
  /// tunings, whose tables change, and system resets.
  var code: UInt64 {
    @_noLocks get {
      switch self {
      case .noteOff(let key): Self.code(1, UInt32(key))
      case .control(let number, let value): Self.code(2, UInt32(number) << 8 | UInt32(value))
      case .bend(let position): Self.code(3, UInt32(bitPattern: position))
      case .bendRange(let semitones): Self.code(4, UInt32(bitPattern: semitones))
      case .pressure(let value): Self.code(5, UInt32(value))
      case .keyPressure(let key, let value): Self.code(6, UInt32(key) << 8 | UInt32(value))
      case .generator(let generator, let value):
        Self.code(7, value.bitPattern) | UInt64(UInt8(truncatingIfNeeded: generator)) << 32
      case .choke(let exclusiveClass): Self.code(8, UInt32(bitPattern: exclusiveClass))
      case .steal: Self.code(12, 0)
      case .release(let key): Self.code(13, UInt32(key))
      case .cut: Self.code(9, 0)
      case .parameter(let number, let value): Self.code(10, UInt32(number) << 16 | UInt32(value))
      case .linearPortamentoTime: Self.code(11, 0)
      case .legato, .program, .tuning, .systemReset: 0
      }
    }
  }

  /// Creates the action of a ``code``, which must not be 0.
  @_noLocks init(code: UInt64) {
    let low = UInt32(truncatingIfNeeded: code)
    let (upper, lower) = (UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low))
    switch code >> 56 {
    case 1: self = .noteOff(key: lower)
    case 2: self = .control(number: upper, value: lower)
    case 3: self = .bend(Int32(bitPattern: low))
    case 4: self = .bendRange(Int32(bitPattern: low))
    case 5: self = .pressure(lower)
    case 6: self = .keyPressure(key: upper, value: lower)
    case 7: self = .generator(Int32(UInt8(truncatingIfNeeded: code >> 32)), Float(bitPattern: low))
    case 8: self = .choke(Int32(bitPattern: low))
    case 10:
      self = .parameter(
        number: UInt8(truncatingIfNeeded: low >> 16), value: UInt16(truncatingIfNeeded: low))
    case 11: self = .linearPortamentoTime
    case 12: self = .steal
    case 13: self = .release(key: lower)
    default: self = .cut
    }
  }

  @_noLocks private static func code(_ kind: UInt64, _ value: UInt32) -> UInt64 {
    kind << 56 | UInt64(value)
  }
}
