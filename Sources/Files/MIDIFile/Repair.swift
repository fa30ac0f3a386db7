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

extension Repair.Kind {
  /// The fault, as a clause.
  public var found: String {
    switch self {
    case .junkBeforeHeader(let count): "something else stands before the header (\(bytes(count)))"
    case .containerCut(let announced, let found):
      "the RIFF data chunk says \(bytes(announced)), but has \(found)"
    case .unknownFormat(let format): "format \(format) does not exist"
    case .formatZeroWithTracks(let count): "a file of format 0 has one track, but here are \(count)"
    case .trackCount(let announced, let found):
      "the header's number of tracks is \(announced), but there are \(found)"
    case .tooManyTracks: "a file has at most 65535 tracks, but more follow"
    case .junkBetweenChunks(let count): "something between chunks is no chunk (\(bytes(count)))"
    case .junkAtEnd(let count): "something after the last chunk is no chunk (\(bytes(count)))"
    case .secondFile: "another header follows, as if two files had been joined"
    case .chunkCut(let announced, let found):
      "the track says \(bytes(announced)), but the file ends after \(found)"
    case .trackLength(let announced, let found):
      "the track says \(bytes(announced)), but its events take \(found)"
    case .bytesAfterEndOfTrack(let count):
      "the track goes on after its end-of-track event (\(bytes(count)))"
    case .missingEndOfTrack: "the track has no end-of-track event"
    case .cutInsideEvent: "the track stops inside an event"
    case .noStatus(let byte): "\(hex(byte)) stands where a first status byte must be"
    case .runningStatusAfterMeta: "running status goes on after a meta event or SysEx"
    case .dataByteTooLarge(let byte): "a data byte must be at most 7F, but was \(hex(byte))"
    case .quantityTooLong(let count):
      "a variable-length quantity has at most 4 bytes, but this one has \(count)"
    case .quantityTooLarge: "a variable-length quantity is at most 268435455, but this is more"
    case .systemMessage(let status): "system message \(hex(status)) has no place in a file"
    case .metaType(let type): "a meta event's type is at most 7F, but was \(hex(type))"
    case .malformedMeta(let type, let count):
      "a meta event FF \(hex(type)) has data that it cannot have (\(bytes(count)))"
    case .unterminatedSysEx: "a SysEx message has no final F7"
    case .bytesAfterSysEx(let count):
      "something follows the F7 of a SysEx message (\(bytes(count)))"
    case .statusInsideSysEx(let count):
      "a SysEx message has status bytes inside (\(bytes(count)))"
    case .noteOffAfterNoteOn(let count):
      "\(noteOffs(count)) after a note-on of the same key and tick"
    case .settingAfterNote(let count):
      "\(settings(count)) after another track's note of the same channel and tick"
    case .sysExChecksum(let count):
      count == 1
        ? "a SysEx message has a wrong checksum" : "\(count) SysEx messages have a wrong checksum"
    }
  }

  /// The repair, as a clause.
  public var done: String {
    switch self {
    case .junkBeforeHeader, .junkBetweenChunks, .junkAtEnd: "it was skipped"
    case .containerCut, .chunkCut: "it was read to the end of the file"
    case .unknownFormat, .formatZeroWithTracks: "the tracks are played together, as in format 1"
    case .trackCount: "all that are there were read"
    case .tooManyTracks, .secondFile: "what follows was left out"
    case .trackLength: "it was read as far as its events go"
    case .bytesAfterEndOfTrack, .bytesAfterSysEx, .statusInsideSysEx: "that was left out"
    case .missingEndOfTrack: "it ends with its last event"
    case .cutInsideEvent: "that event was left out"
    case .noStatus, .quantityTooLarge: "the rest of the track was left out"
    case .runningStatusAfterMeta: "the status before it still holds"
    case .dataByteTooLarge: "it was read as 7F"
    case .quantityTooLong: "it was read in full"
    case .systemMessage, .metaType: "it was left out"
    case .malformedMeta: "it has no effect"
    case .unterminatedSysEx: "it ends where its bytes end"
    case .noteOffAfterNoteOn(let count), .settingAfterNote(let count):
      count == 1 ? "it was played before it" : "they were played before them"
    case .sysExChecksum(let count): count == 1 ? "it was obeyed" : "they were obeyed"
    }
  }

  private func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  private func noteOffs(_ count: Int) -> String {
    count == 1
      ? "the note-off of an earlier note stands" : "\(count) note-offs of earlier notes stand"
  }

  private func settings(_ count: Int) -> String {
    count == 1 ? "a setting stands" : "\(count) settings stand"
  }

  private func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
