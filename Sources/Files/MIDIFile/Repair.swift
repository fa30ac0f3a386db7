/// A fault of a file that was read all the same: where, what was found and what was done.
public struct Repair: Equatable, Sendable {
  /// The byte of the file, from 0, at which the fault begins.
  public let offset: Int
  public let kind: Kind

  /// What was found; ``found`` and ``done`` put each case into words.
  ///
  /// `announced` is what the file says, `found` what is there, both in bytes except for tracks.
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
    case errnoDescription(status: UInt8)
    case metaType(UInt8)
    case malformedMeta(type: UInt8, byteCount: Int)
    case unterminatedSysEx
    case bytesAfterSysEx(byteCount: Int)
    case statusInsideSysEx(byteCount: Int)
  }

  public init(offset: Int, _ kind: Kind) {
    self.offset = offset
    self.kind = kind
  }
}

extension Repair: CustomStringConvertible {
  /// A sentence for people: "byte 1234: the track has no end-of-track event; it ends with …".
  public var description: String { "byte \(offset): \(kind.found); \(kind.done)" }
}

/// What a decoder has mended so far: the first repairs in full, the rest as a number.
struct RepairLog {
  private(set) var listed: [Repair] = []
  private(set) var unlistedCount = 0
  private var hasSeenRunningStatus = false

  mutating func add(_ kind: Repair.Kind, at offset: Int) {
    if kind == .runningStatusAfterMeta {
      // A file that does it once does it at every meta event; once is told.
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
