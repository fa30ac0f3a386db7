/// A repaired fault of a file: where it is, what was found, and what was done.
public struct Repair: Equatable, Sendable {
  public let place: Place
  public let kind: Kind

  /// Where a fault is, or the first of several.
  public enum Place: Equatable, Sendable {
    /// The offset in the file, from 0.
    case byte(Int)
    /// A tick of a track, from its start; the track is an index, from 0.
    case tick(Int64, track: Int)
  }

  /// The kind of fault; ``found`` and ``done`` describe each case in words.
  ///
  /// `announced` is the value in the file, `found` the actual one, both in bytes except for tracks.
  public enum Kind: Equatable, Sendable {
    case junkBeforeHeader(byteCount: Int)
    case containerCut(announced: Int, found: Int)
    case unknownFormat(UInt16)
    case formatZeroWithTracks(count: Int)
    case trackCount(announced: Int, found: Int)
    case tooManyTracks
    case junkBetweenChunks(byteCount: Int)
    case junkAtEnd(byteCount: Int)
    case secondFile
    case chunkCut(announced: Int, found: Int)
    case trackLength(announced: Int, found: Int)
    case bytesAfterEndOfTrack(byteCount: Int)
    case missingEndOfTrack
    case cutInsideEvent
    case noStatus(byte: UInt8)
    case runningStatusAfterMeta
    case dataByteTooLarge(UInt8)
    case quantityTooLong(byteCount: Int)
    case quantityTooLarge
    case systemMessage(status: UInt8)
    case metaType(UInt8)
    case malformedMeta(type: UInt8, byteCount: Int)
    case unterminatedSysEx
    case bytesAfterSysEx(byteCount: Int)
    case statusInsideSysEx(byteCount: Int)
    /// Found in the timeline, as are the next ones; see ``Timeline/repairs``.
    case noteOffAfterNoteOn(count: Int)
    case settingAfterNote(count: Int)
    case sysExChecksum(count: Int)
  }

  public init(_ place: Place, _ kind: Kind) {
    self.place = place
    self.kind = kind
  }

  public init(offset: Int, _ kind: Kind) { self.init(.byte(offset), kind) }

  /// The offset in the file, from 0, at which the fault starts; `nil` if it is known by its tick.
  public var offset: Int? {
    if case .byte(let offset) = place { offset } else { nil }
  }
}

extension Repair: CustomStringConvertible {
  /// A sentence for users: "byte 1234: the track has no end-of-track event; it ends with …".
  public var description: String { "\(place): \(kind.found); \(kind.done)" }
}

extension Repair.Place: CustomStringConvertible {
  /// The place for users, who count tracks from 1.
  public var description: String {
    switch self {
    case .byte(let offset): "byte \(offset)"
    case .tick(let tick, let track): "track \(track + 1), tick \(tick)"
    }
  }
}

/// A fault that a file may have in many places: one repair, at the first of them.
struct RepeatedFault {
  private var count = 0
  private var first: Repair.Place?

  mutating func add(_ place: Repair.Place) {
    count += 1
    if first == nil { first = place }
  }

  /// Returns the repair, or none if there is no such fault.
  func repair(_ kind: (_ count: Int) -> Repair.Kind) -> [Repair] {
    first.map { [Repair($0, kind(count))] } ?? []
  }
}

/// The repairs that a decoder has made so far: a list of the first ones, and the number of the rest.
struct RepairLog {
  private(set) var listed: [Repair] = []
  private(set) var unlistedCount = 0
  private var hasSeenRunningStatus = false

  mutating func add(_ kind: Repair.Kind, at offset: Int) {
    if kind == .runningStatusAfterMeta {
      // A file with this fault usually has it at every meta event, so it is listed only once.
      if hasSeenRunningStatus { return }
      hasSeenRunningStatus = true
    }
    if listed.count < StandardMIDIFile.maximumRepairs {
      listed.append(Repair(offset: offset, kind))
    } else {
      unlistedCount += 1
    }
  }
}
