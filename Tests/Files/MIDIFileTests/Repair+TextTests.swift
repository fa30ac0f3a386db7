import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct RepairTextTests {
  static let kinds: [Repair.Kind] = [
    .junkBeforeHeader(byteCount: 77), .containerCut(announced: 77, found: 66), .unknownFormat(77),
    .formatZeroWithTracks(count: 77), .trackCount(announced: 77, found: 66), .tooManyTracks,
    .junkBetweenChunks(byteCount: 77), .junkAtEnd(byteCount: 77), .secondFile,
    .chunkCut(announced: 77, found: 66), .trackLength(announced: 77, found: 66),
    .bytesAfterEndOfTrack(byteCount: 77), .missingEndOfTrack, .cutInsideEvent,
    .noStatus(byte: 0x77),
    .runningStatusAfterMeta, .dataByteTooLarge(0x77), .quantityTooLong(byteCount: 77),
    .quantityTooLarge, .systemMessage(status: 0x77), .metaType(0x77),
    .malformedMeta(type: 0x66, byteCount: 77), .unterminatedSysEx, .bytesAfterSysEx(byteCount: 77),
    .statusInsideSysEx(byteCount: 77), .noteOffAfterNoteOn(count: 77), .settingAfterNote(count: 77),
    .sysExChecksum(count: 77),
  ]

  @Test(arguments: kinds) func `names every value it holds`(kind: Repair.Kind) {
    let holds = "\(kind)"
    if holds.contains("77") || holds.contains("119") { #expect(kind.found.contains("77")) }
    if holds.contains("66") || holds.contains("102") { #expect(kind.found.contains("66")) }
    #expect(!kind.done.isEmpty)
  }

  @Test func `describes every kind differently`() {
    #expect(Set(Self.kinds.map(\.found)).count == Self.kinds.count)
  }

  @Test func `counts one byte as one`() {
    #expect(Repair.Kind.junkAtEnd(byteCount: 1).found.contains("1 byte)"))
    #expect(Repair.Kind.metaType(0x0A).found.contains("0A"))
  }
}
