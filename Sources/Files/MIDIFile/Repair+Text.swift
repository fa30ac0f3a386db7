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
