import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct DroppedEventReporterTests {
  var reports = DroppedEventReporter()

  @Test
  mutating func `the first dropped event is reported immediately, and those of a second together`()
  {
    reports.add(DroppedEvents(outOfRange: 1), of: "Organ")
    #expect(reports.takeDue(at: 5) == [.dropped(port: "Organ", DroppedEvents(outOfRange: 1))])
    reports.add(DroppedEvents(outOfRange: 2), of: "Organ")
    reports.add(DroppedEvents(brokenSysEx: 1), of: "Organ")
    reports.add(DroppedEvents(refused: 1), of: "Flute")
    #expect(reports.takeDue(at: 1_000_000_004) == [])
    #expect(
      reports.takeDue(at: 1_000_000_005) == [
        .dropped(port: "Flute", DroppedEvents(refused: 1)),
        .dropped(port: "Organ", DroppedEvents(outOfRange: 2, brokenSysEx: 1)),
      ])
    #expect(reports.takeDue(at: 9_000_000_000) == [])
  }

  @Test mutating func `without dropped events there is no report`() {
    reports.add(DroppedEvents(), of: "Organ")
    #expect(reports.takeDue(at: 0) == [])
  }

  @Test func `the report describes the dropped events`() {
    let event = BridgeEvent.dropped(
      port: "Organ", DroppedEvents(outOfRange: 2, brokenSysEx: 1, refused: 3))
    #expect(
      "\(event)"
        == "Organ: MIDI events were dropped: 2 with values outside MIDI's range, 1 of System "
        + "Exclusive, incomplete or longer than 65520 bytes, 3 that arrived faster than they were played"
    )
  }
}
