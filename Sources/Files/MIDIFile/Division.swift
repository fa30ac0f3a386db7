/// What a tick is: the unit in which a file counts the time between events.
///
/// Source: RP-001, *Standard MIDI Files 1.0*, "Header Chunks".
public enum Division: Equatable, Sendable {
  /// Ticks in a quarter note, 1…32 767; how long that lasts is for the tempo to say.
  case ticksPerQuarter(UInt16)
  /// Ticks in a frame of SMPTE time code, 1…255; tempo then has no effect on time.
  case timeCode(FrameRate, ticksPerFrame: UInt8)

  /// The four frame rates of SMPTE time code that a file can name.
  public enum FrameRate: Int8, Sendable, CaseIterable {
    case fps24 = -24
    case fps25 = -25
    /// "29": 30 drop-frame, which runs at 30 000 / 1001 frames per second.
    case fps29Drop = -29
    case fps30 = -30
  }

  /// The fraction by which time is counted without loss: `timeUnits(perTick)` over `unitsPerSecond`.
  ///
  /// With ticks per quarter note a unit is a microsecond divided by the ticks of a quarter note, so
  /// that a tick lasts as many units as the tempo has microseconds.
  var unitsPerSecond: UInt64 {
    switch self {
    case .ticksPerQuarter(let ticks): UInt64(ticks) * 1_000_000
    case .timeCode(.fps24, let ticks): 24 * UInt64(ticks)
    case .timeCode(.fps25, let ticks): 25 * UInt64(ticks)
    case .timeCode(.fps29Drop, let ticks): 30_000 * UInt64(ticks)
    case .timeCode(.fps30, let ticks): 30 * UInt64(ticks)
    }
  }

  /// How many units a tick lasts while `tempo`, in microseconds per quarter note, is in force.
  func unitsPerTick(tempo: UInt32) -> UInt64 {
    switch self {
    case .ticksPerQuarter: UInt64(tempo)
    case .timeCode(.fps29Drop, _): 1001
    case .timeCode: 1
    }
  }

  /// Whether both numbers are in the range the format can write.
  var isValid: Bool {
    switch self {
    case .ticksPerQuarter(let ticks): 1...0x7FFF ~= ticks
    case .timeCode(_, let ticks): ticks > 0
    }
  }
}
