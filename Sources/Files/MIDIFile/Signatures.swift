/// How many beats a bar has, and of what length.
///
/// Source: RP-001, "Time Signature".
public struct TimeSignature: Equatable, Sendable {
  /// Beats in a bar, 1…255.
  public let numerator: UInt8
  /// The beat as a power of two, 0…7: 2 is a quarter note, 3 an eighth.
  public let denominatorPower: UInt8
  /// MIDI clocks (24 to the quarter note) per metronome click.
  public let clocksPerClick: UInt8
  /// Notated thirty-second notes in a MIDI quarter note; 8 unless the file is unusual. Bar lines do
  /// not heed it.
  public let thirtySecondsPerQuarter: UInt8

  /// What holds where a file says nothing: 4/4.
  public static let common = TimeSignature(numerator: 4, denominatorPower: 2)!

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

/// The key a piece says it is in.
///
/// Source: RP-001, "Key Signature".
public struct KeySignature: Equatable, Sendable {
  /// Sharps if above 0, flats if below: −7…7.
  public let sharps: Int8
  public let isMinor: Bool

  /// - Returns: `nil` unless `sharps` is in −7…7.
  public init?(sharps: Int8, isMinor: Bool) {
    guard -7...7 ~= sharps else { return nil }
    self.sharps = sharps
    self.isMinor = isMinor
  }
}
