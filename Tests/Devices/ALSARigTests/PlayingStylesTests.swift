import ALSA
import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

/// Tests of messages that keyboards send besides plain notes.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards, "needs USB keyboards, in real time: make test-alsa"), .serialized)
struct PlayingStylesTests {
  private let test: TestBridge
  private let keyboard: EmulatedKeyboard

  init() throws {
    test = try TestBridge(wired: ["Styles"])
    keyboard = try EmulatedKeyboard(socket: 0, name: "Styles", serial: "1")
    try keyboard.plug()
    try test.waitUntil(hasSources: true)
  }

  private func played(_ bytes: String, _ count: Int) throws -> [MIDIContent] {
    try keyboard.send(bytes)
    return try test.receive(count).map(\.content)
  }

  @Test func `running status, and velocity 0 for a note-off`() throws {
    let heard = try played("90 3C 64 3E 65 3C 00 3E 00", 4)
    #expect(
      heard == [
        .channel(.noteOn, 60, 100), .channel(.noteOn, 62, 101), .channel(.noteOff, 60, 64),
        .channel(.noteOff, 62, 64),
      ]
        || heard == [
          .channel(.noteOn, 60, 100), .channel(.noteOn, 62, 101), .channel(.noteOn, 60, 0),
          .channel(.noteOn, 62, 0),
        ])
    try keyboard.unplug()
    try test.waitUntil(hasSources: false)
    #expect(test.recorder.drain().isEmpty, "nothing was left down")
  }

  @Test func `notes on sixteen channels at once all end`() throws {
    let bytes = (0..<16).map { "9" + String($0, radix: 16) + " 3C 64" }.joined(separator: " ")
    let heard = try played(bytes, 16)
    #expect(
      heard == (0..<16).map { .channel(ChannelMessage(.noteOn, channel: $0, 60, 100)) })
    try keyboard.unplug()
    let ends = try test.receive(16).map(\.content)
    let channels = ends.compactMap { content -> UInt8? in
      if case .channel(let message) = content, message.endsNote { message.channel } else { nil }
    }
    #expect(channels.sorted() == Array(0..<16))
  }

  @Test func `System Exclusive between notes, and a clock within it`() throws {
    let heard = try played("90 3C 64 F0 7D 01 02 F8 03 04 05 F7 80 3C 40", 4)
    let notes = heard.filter { if case .channel = $0 { true } else { false } }
    #expect(notes == [.channel(.noteOn, 60, 100), .channel(.noteOff, 60, 64)])
    #expect(heard.contains(.sysEx([0x7D, 1, 2, 3, 4, 5])))
    #expect(heard.contains(.system(.clock)))
  }

  @Test func `no note among many clock and transport messages is lost`() throws {
    var keys: [UInt8] = []
    for round in 0..<8 {
      let key = UInt8(60 + round)
      let flood = [String](repeating: "F8", count: 200).joined(separator: " ")
      let hex = String(key, radix: 16)
      try keyboard.send("FA \(flood) 90 \(hex) 64 FC F2 00 00 \(flood) FB 80 \(hex) 40")
      let heard = try test.receive(405)
      keys += heard.compactMap {
        if case .channel(let message) = $0.content, message.startsNote {
          message.data1
        } else {
          nil
        }
      }
    }
    #expect(keys == (60..<68).map(UInt8.init))
    #expect(test.recorder.input.refused == 0)
    #expect(!test.log.told.contains(.overrun))
  }

  @Test func `the end of Active Sensing ends held notes, and later notes are heard`() throws {
    try keyboard.send("90 3C 64 FE")
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOn, 60, 100)])
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOff, 60, 64)])
    // The bridge reports after it has acted.
    let silence = BridgeEvent.fellSilent(sender: "Styles", port: "Organ")
    try wait { test.log.told.last == silence ? () : nil }
    #expect(try played("90 3E 64", 1) == [.channel(.noteOn, 62, 100)])
    #expect(test.recorder.input.hasSources)
  }
}
