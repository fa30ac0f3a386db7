/// A Standard MIDI File: tracks of events, each at its tick.
///
/// The value says what the file says. What a renderer plays, with every event on its frame, is the
/// ``Timeline`` made from it by ``timeline(sampleRate:)``.
///
/// Two files are equal when format, division and tracks are: ``repairs`` tell how a file was read,
/// and do not take part.
///
/// Realtime: no; files are read, made and written off the render thread.
///
/// Source: RP-001, *Standard MIDI Files 1.0*.
public struct StandardMIDIFile: Equatable, Sendable {
  /// How the tracks belong together; the raw value is the header's.
  public enum Format: UInt16, Sendable {
    /// One track with everything.
    case singleTrack = 0
    /// Tracks that sound together. Tempo and time signatures of any track hold for all.
    case simultaneous = 1
    /// Independent sequences, one to a track. The timeline plays them one after another.
    case sequential = 2
  }

  /// How the tracks belong together.
  public let format: Format
  /// The unit of all ticks.
  public let division: Division
  /// In file order. Never empty; exactly one in format 0.
  public let tracks: [Track]

  /// What was wrong in the bytes and how it was read all the same: the first of them, in the order
  /// found, at most ``maximumRepairs``. Empty for a sound file and for one made in memory.
  public let repairs: [Repair]
  /// How many more repairs were made than ``repairs`` lists.
  public let unlistedRepairCount: Int

  /// The most that ``repairs`` lists; a hopeless file must not cost memory for its description.
  public static let maximumRepairs = 100

  /// Makes a file of tracks.
  ///
  /// - Parameters:
  ///   - division: Ticks per quarter note in 1…32 767, or ticks per frame in 1…255.
  ///   - tracks: 1…65 535; exactly one in format 0.
  /// - Precondition: the numbers are in range.
  public init(format: Format, division: Division, tracks: [Track]) {
    precondition(division.isValid, "a division of zero, or over 32767 ticks per quarter note")
    precondition(1...0xFFFF ~= tracks.count, "a file has 1 to 65535 tracks")
    precondition(format != .singleTrack || tracks.count == 1, "a file of format 0 has one track")
    self.init(
      format: format, division: division, tracks: tracks, repairs: RepairLog())
  }

  init(format: Format, division: Division, tracks: [Track], repairs: RepairLog) {
    self.format = format
    self.division = division
    self.tracks = tracks
    self.repairs = repairs.listed
    self.unlistedRepairCount = repairs.unlistedCount
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.format == b.format && a.division == b.division && a.tracks == b.tracks
  }
}
