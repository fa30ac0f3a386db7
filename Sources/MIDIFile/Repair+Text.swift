extension Repair.Kind {
  /// What was found, as a clause.
  public var found: String {
    switch self {
    case .junkBeforeHeader(let count): "\(count) bytes stand before the header"
    case .containerCut(let announced, let found):
      "the RIFF data chunk says \(announced) bytes, but \(found) are left"
    case .unknownFormat(let format): "format \(format) does not exist"
    case .formatZeroWithTracks(let count): "a file of format 0 has one track, but here are \(count)"
    case .trackCount(let announced, let found):
      "the header says \(announced) tracks, but there are \(found)"
    case .tooManyTracks: "a file has at most 65535 tracks, but more follow"
    case .junkBetweenChunks(let count): "\(count) bytes between chunks belong to none"
    case .junkAtEnd(let count): "\(count) bytes after the last chunk belong to none"
    case .secondFile: "another header follows, as if two files had been joined"
    case .chunkCut(let announced, let found):
      "the chunk says \(announced) bytes, but \(found) are left"
    case .trackLength(let announced, let found):
      "the track says \(announced) bytes, but its events take \(found)"
    case .bytesAfterEndOfTrack(let count): "\(count) bytes follow the track's end-of-track event"
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
      "the \(count) data bytes of a meta event FF \(hex(type)) are not what it can hold"
    case .unterminatedSysEx: "a SysEx message has no final F7"
    case .bytesAfterSysEx(let count): "\(count) bytes follow the F7 of a SysEx message"
    case .statusInsideSysEx(let count): "a SysEx message has \(count) bytes above 7F inside"
    }
  }

  /// What was done about it, as a clause.
  public var done: String {
    switch self {
    case .junkBeforeHeader, .junkBetweenChunks, .junkAtEnd: "they were skipped"
    case .containerCut, .chunkCut: "it was read to the end of the file"
    case .unknownFormat, .formatZeroWithTracks: "the tracks are played together, as in format 1"
    case .trackCount: "all that are there were read"
    case .tooManyTracks, .secondFile: "what follows was left out"
    case .trackLength: "it was read to its end-of-track event"
    case .bytesAfterEndOfTrack, .bytesAfterSysEx, .statusInsideSysEx: "they were left out"
    case .missingEndOfTrack: "it ends with its last event"
    case .cutInsideEvent: "that event was left out"
    case .noStatus, .quantityTooLarge: "the rest of the track was left out"
    case .runningStatusAfterMeta: "the status before it still holds"
    case .dataByteTooLarge: "it was read as 7F"
    case .quantityTooLong: "it was read in full"
    case .systemMessage, .metaType: "it was left out"
    case .malformedMeta: "it has no effect"
    case .unterminatedSysEx: "it ends where its bytes end"
    }
  }

  private func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
