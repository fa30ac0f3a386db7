import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct RepairTests {
  @Test func `states the position, the value found and the repair`() {
    #expect(
      Repair(offset: 30, .missingEndOfTrack).description
        == "byte 30: the track has no end-of-track event; it ends with its last event")
    #expect(
      Repair(offset: 25, .dataByteTooLarge(0x80)).description
        == "byte 25: a data byte must be at most 7F, but was 80; it was read as 7F")
  }

  @Test func `lists a hundred repairs and counts the others`() {
    var log = RepairLog()
    for offset in 0..<103 { log.add(.missingEndOfTrack, at: offset) }
    #expect(log.listed.map(\.offset) == Array(0..<100))
    #expect(log.unlistedCount == 3)
  }

  @Test func `lists broken running status once`() {
    var log = RepairLog()
    for offset in 0..<3 { log.add(.runningStatusAfterMeta, at: offset) }
    log.add(.missingEndOfTrack, at: 3)
    #expect(log.listed.map(\.offset) == [0, 3])
    #expect(log.unlistedCount == 0)
  }
}
