/// The number of beats per bar, and their length.
///
/// Source: RP-001, "Time Signature".
public struct TimeSignature: Equatable, Sendable {
  /// Beats per bar, 1…255.
  public let numerator: UInt8
  /// The beat's note value as a power of two, 0…7: 2 is a quarter note, 3 an eighth.
  public let denominatorPower: UInt8
  /// MIDI clocks (24 to the quarter note) per metronome click.
  public let clocksPerClick: UInt8
  /// Notated thirty-second notes per MIDI quarter note; 8 except in unusual files. It does not affect bar lines.
  public let thirtySecondsPerQuarter: UInt8

  /// The default if a file has no time signature: 4/4.
  public static let common = TimeSignature(numerator: 4, denominatorPower: 2)!

  /// Creates a time signature.
  ///
  /// - Returns: `nil` unless `numerator` is in 1…255 and `denominatorPower` in 0…7.
  public init?(
    numerator: UInt8, denominatorPower: UInt8, clocksPerClick: UInt8 = 24,
    thirtySecondsPerQuarter: UInt8 = 8
  ) {
    guard numerator > 0, denominatorPower < 8 else { return nil }
    self.numerator = numerator
    self.denominatorPower = denominatorPower
    self.clocksPerClick = clocksPerClick
    self.thirtySecondsPerQuarter = thirtySecondsPerQuarter
  }
}

/// A key signature.
///
/// Source: RP-001, "Key Signature".
public struct KeySignature: Equatable, Sendable {
  /// The number of sharps if positive, of flats if negative: −7…7.
  public let sharps: Int8
  public let isMinor: Bool

  /// - Returns: `nil` unless `sharps` is in −7…7.
  public init?(sharps: Int8, isMinor: Bool) {
    guard -7...7 ~= sharps else { return nil }
    self.sharps = sharps
    self.isMinor = isMinor
  }
}
