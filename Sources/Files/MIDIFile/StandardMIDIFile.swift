/// A Standard MIDI File: tracks of events with ticks.
///
/// The value represents the file's contents. ``timeline(sampleRate:)`` converts it to a ``Timeline``, in which every
/// event has a frame, for rendering.
///
/// Two files are equal if format, division and tracks are equal. ``repairs`` describe how a file was read, and are
/// not compared.
///
/// Realtime: no; files are read, created and written off the render thread.
///
/// Source: RP-001, *Standard MIDI Files 1.0*.
public struct StandardMIDIFile: Equatable, Sendable {
  /// The relation between the tracks; the raw value is the one in the header.
  public enum Format: UInt16, Sendable {
    /// A single track with all events.
    case singleTrack = 0
    /// Tracks that play simultaneously. Tempo and time signatures of any track apply to all.
    case simultaneous = 1
    /// Independent sequences, one per track. The timeline plays them one after another.
    case sequential = 2
  }

  /// The relation between the tracks.
  public let format: Format
  /// The unit of all ticks.
  public let division: Division
  /// The tracks in file order. Never empty; exactly one in format 0.
  public let tracks: [Track]

  /// The SoundFont in the file's RIFF container; `nil` if there is none. Not compared either.
  public internal(set) var embeddedSoundFont: EmbeddedSoundFont?

  /// The repaired faults, in the order found, at most ``maximumRepairs``. Empty for a valid file and for one created
  /// in memory.
  public let repairs: [Repair]
  /// The number of repairs that are not listed in ``repairs``.
  public let unlistedRepairCount: Int

  /// The greatest length of ``repairs``. It limits the memory for badly damaged files.
  public static let maximumRepairs = 100

  /// Creates a file from tracks.
  ///
  /// - Parameters:
  ///   - division: Ticks per quarter note in 1…32 767, or ticks per frame in 1…255.
  ///   - tracks: 1…65 535; exactly one in format 0.
  /// - Precondition: The numbers are in range.
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
