/// The unit of time of a file: the length of a tick.
///
/// Source: RP-001, *Standard MIDI Files 1.0*, "Header Chunks".
public enum Division: Equatable, Sendable {
  /// Ticks per quarter note, 1…32 767. The tempo determines the length of a quarter note.
  case ticksPerQuarter(UInt16)
  /// Ticks per frame of SMPTE time code, 1…255. The tempo has no effect.
  case timeCode(FrameRate, ticksPerFrame: UInt8)

  /// The four SMPTE frame rates that a file can specify.
  public enum FrameRate: Int8, Sendable, CaseIterable {
    case fps24 = -24
    case fps25 = -25
    /// "29": 30 drop-frame, which runs at 30 000 / 1001 frames per second.
    case fps29Drop = -29
    case fps30 = -30
  }

  /// The number of time units per second. In these units every tick is a whole number; see ``unitsPerTick(tempo:)``.
  ///
  /// With ticks per quarter note, a unit is a microsecond divided by the ticks per quarter note. The length of a tick
  /// in units then equals the tempo in microseconds.
  var unitsPerSecond: UInt64 {
    switch self {
    case .ticksPerQuarter(let ticks): UInt64(ticks) * 1_000_000
    case .timeCode(.fps24, let ticks): 24 * UInt64(ticks)
    case .timeCode(.fps25, let ticks): 25 * UInt64(ticks)
    case .timeCode(.fps29Drop, let ticks): 30_000 * UInt64(ticks)
    case .timeCode(.fps30, let ticks): 30 * UInt64(ticks)
    }
  }

  /// Returns the length of a tick in units at `tempo`, in microseconds per quarter note.
  func unitsPerTick(tempo: UInt32) -> UInt64 {
    switch self {
    case .ticksPerQuarter: UInt64(tempo)
    case .timeCode(.fps29Drop, _): 1001
    case .timeCode: 1
    }
  }

  /// Whether the numbers are in the range of the file format.
  var isValid: Bool {
    switch self {
    case .ticksPerQuarter(let ticks): 1...0x7FFF ~= ticks
    case .timeCode(_, let ticks): ticks > 0
    }
  }
}
