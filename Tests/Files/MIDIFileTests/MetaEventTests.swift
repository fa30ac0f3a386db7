import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct MetaEventTests {
  @Test func `reads a tempo as it writes it`() {
    #expect(MetaEvent.tempo(500_000) == MetaEvent(type: 0x51, data: [0x07, 0xA1, 0x20]))
    #expect(MetaEvent(type: 0x51, data: [0x07, 0xA1, 0x20]).tempo == 500_000)
    #expect(MetaEvent.tempo(0xFF_FFFF).tempo == 0xFF_FFFF)
  }

  @Test func `has no tempo if it is zero, truncated or of another type`() {
    #expect(MetaEvent(type: 0x51, data: [0, 0, 0]).tempo == nil)
    #expect(MetaEvent(type: 0x51, data: [7, 1]).tempo == nil)
    #expect(MetaEvent(type: 0x52, data: [7, 1, 2]).tempo == nil)
  }

  @Test func `reads the known part of longer data`() {
    #expect(MetaEvent(type: 0x51, data: [0, 0, 1, 9, 9]).tempo == 1)
    #expect(MetaEvent(type: 0x58, data: [3, 2, 24, 8, 9]).timeSignature?.numerator == 3)
  }

  @Test func `reads signatures as it writes them`() {
    let time = TimeSignature(numerator: 7, denominatorPower: 3)!
    #expect(MetaEvent.timeSignature(time) == MetaEvent(type: 0x58, data: [7, 3, 24, 8]))
    #expect(MetaEvent.timeSignature(time).timeSignature == time)
    let key = KeySignature(sharps: -3, isMinor: true)!
    #expect(MetaEvent.keySignature(key) == MetaEvent(type: 0x59, data: [0xFD, 1]))
    #expect(MetaEvent.keySignature(key).keySignature == key)
  }

  @Test(arguments: TextKind.allCases)
  func `reads a text of every kind as it writes it`(kind: TextKind) {
    let meta = MetaEvent.text("Für Élise ♪", kind)
    #expect(meta.type == kind.rawValue)
    #expect(meta.text == "Für Élise ♪")
    #expect(meta.textKind == kind)
  }

  @Test func `reads what is not UTF-8 as Windows-1252`() {
    #expect(MetaEvent(type: 1, data: [0x46, 0xFC, 0x72]).text == "Für")
  }

  @Test func `has no text if the type is not a text's`() {
    #expect(MetaEvent(type: 0x7F, data: [65]).text == nil)
    #expect(MetaEvent(type: 0x20, data: [65]).text == nil)
  }

  @Test func `is malformed if it lacks what a player needs`() {
    #expect(MetaEvent(type: 0x51, data: [1, 2]).isMalformed)
    #expect(MetaEvent(type: 0x58, data: [0, 2, 24, 8]).isMalformed)
    #expect(MetaEvent(type: 0x59, data: [9, 0]).isMalformed)
    #expect(MetaEvent(type: 0x59, data: [7, 2]).isMalformed)
    #expect(!MetaEvent.tempo(1).isMalformed)
    #expect(!MetaEvent(type: 0x60, data: []).isMalformed)
  }
}
