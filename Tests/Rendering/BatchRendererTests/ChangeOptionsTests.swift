import MIDIFile
import OfflineRenderer
import Testing

@testable import BatchRenderer
@testable import LocalSystem

private func options(_ arguments: String...) throws -> SongOptions {
  try RenderOptions(arguments + ["a.mid"]).song
}

private func refusal(_ arguments: String...) -> String {
  do {
    _ = try RenderOptions(arguments + ["a.mid"])
    return "accepted"
  } catch {
    return error.message
  }
}

@Suite(.timeLimit(.minutes(5))) struct ChangeOptionsTests {
  @Test(arguments: [
    ("0.5", 500_000), ("50%", 500_000), ("1", 1_000_000), ("10", 10_000_000), ("133.5%", 1_335_000),
  ])
  func `a tempo is a factor or a percentage`(text: String, millionths: Int) throws {
    #expect(
      try options("--tempo", text).changes.tempo
        == .speed(#require(SongSpeed(millionths: millionths))))
  }

  @Test func `a tempo is a number of beats per minute`() throws {
    #expect(try options("--tempo", "96bpm").changes.tempo == .beatsPerMinute(96))
    #expect(try options("--tempo", "62.5BPM").changes.tempo == .beatsPerMinute(62.5))
  }

  @Test(arguments: ["0", "0bpm", "-1", "11", "nan", "1e1", "", "fast", "%", "1001%"])
  func `other tempos are refused`(text: String) {
    #expect(refusal("--tempo", text).hasPrefix("--tempo must be a factor from 0.1 to 10"))
  }

  @Test func `a number that may be a tempo is explained`() {
    #expect(refusal("--tempo", "96").hasSuffix("but was '96': write 96bpm for a tempo"))
  }

  @Test func `parts are channels, tracks and names`() throws {
    #expect(
      try options("--only", "1, 2:16,track:3,Steel Guitar").changes.only == [
        .channel(0, port: nil), .channel(15, port: 1), .track(2), .named("Steel Guitar"),
      ])
    #expect(try options("--mute", "drums").changes.muted == [.named("drums")])
  }

  @Test(arguments: ["", "1,", "0", "17", "0:1", "2:17", "track:0", "track:x"])
  func `parts that cannot exist are refused`(text: String) {
    #expect(refusal("--only", text).hasPrefix("--only"))
  }

  @Test func `presets are numbers or names of General MIDI`() throws {
    #expect(
      try options("--program", "1=8:40,2:10=25,3=violin,4=Acoustic Bass").changes.programs == [
        .init(channel: 0, bank: 8, program: 40), .init(channel: 9, port: 1, bank: 0, program: 25),
        .init(channel: 2, bank: 0, program: 40), .init(channel: 3, bank: 0, program: 32),
      ])
  }

  @Test(arguments: ["", "1", "1=", "=1", "0=1", "1=128", "1=128:0", "1=0:128", "1=0:0:0", "1=-1"])
  func `other presets are refused`(text: String) {
    #expect(refusal("--program", text).hasPrefix("--program"))
  }

  @Test func `a name that several instruments have is ambiguous`() {
    let message = refusal("--program", "1=guitar")
    #expect(message.hasPrefix("--program: 'guitar' is ambiguous: it matches Nylon Guitar"))
    #expect(refusal("--program", "1=vilin").contains("did you mean 'Violin'?"))
  }

  @Test func `velocities are changed by a factor, a curve, or to one`() throws {
    #expect(try options("--velocity", "0.8").changes.velocity == .factor(0.8))
    #expect(try options("--velocity", "soft").changes.velocity == .soft)
    #expect(try options("--velocity", "=90").changes.velocity == .fixed(90))
    for text in ["0", "=0", "=128", "11", "loud", ""] {
      #expect(refusal("--velocity", text).hasPrefix("--velocity must be"))
    }
  }

  @Test func `a range is of times or of bars`() throws {
    let range = try options("--from", "bar9", "--to", "BAR17:3")
    #expect(range.start == .bar(9) && range.end == .bar(17, beat: 3))
    #expect(try options("--from", "1:23.5").start == .seconds(83.5))
    for text in ["bar", "bar0", "bar1:0", "bar1:2:3", "bar-1", "bars2"] {
      #expect(refusal("--from", text).hasPrefix("--from: a bar is named as bar12"))
    }
    #expect(refusal("--from", "bar9", "--to", "bar9").contains("nothing would be rendered"))
    // Which of them is later is only known with the song.
    #expect(refusal("--from", "bar9", "--to", "1") == "accepted")
  }

  @Test func `pans are channels with numbers`() throws {
    #expect(
      try options("--pan", "1=-20, 2:10=127").changes.pans == [
        .init(channel: 0, shift: -20), .init(channel: 9, port: 1, shift: 127),
      ])
    for text in ["5", "1=", "1=left", "1=128", "17=1"] {
      #expect(refusal("--pan", text).hasPrefix("--pan"))
    }
  }

  @Test func `a lead needs something before the part, and exact timing`() throws {
    #expect(try options("--from", "bar9", "--lead", "2.5").settings.lead == 2.5)
    #expect(refusal("--lead", "2").contains("--lead needs --from"))
    #expect(refusal("--lead", "2", "--from", "9", "--timing", "stock").contains("--timing exact"))
    #expect(refusal("--lead", "-1", "--from", "9").hasPrefix("--lead"))
  }

  @Test func `two fades at the end contradict each other`() {
    #expect(refusal("--fade", "2", "--loops", "2", "--fade-out", "3").contains("keep one"))
  }

  @Test func `the settings of a report name what is changed, and nothing else`() throws {
    func settings(_ options: SongOptions) throws -> RenderReport.Settings {
      RenderReport.Settings(options, format: try options.format(of: nil))
    }
    let plain = try settings(options())
    #expect(plain.transpose == nil && plain.tempo == nil && plain.only == nil && plain.mute == nil)
    #expect(plain.pan == nil && plain.lead == nil)
    #expect(plain.program == nil && plain.velocity == nil && plain.fromBar == nil)
    let changed = try settings(
      options(
        "--transpose", "-2", "--tempo", "96bpm", "--only", "1,piano", "--mute", "track:2",
        "--program", "2:1=8:3", "--velocity", "=9", "--from", "bar3:2", "--fade-in", "1",
        "--pan", "1=9,2:3=-4", "--lead", "2"))
    #expect(changed.pan == ["1=9", "2:3=-4"] && changed.lead == 2)
    #expect(changed.transpose == -2 && changed.beatsPerMinute == 96 && changed.tempo == nil)
    #expect(changed.only == ["channel 1", "'piano'"] && changed.mute == ["track 2"])
    #expect(changed.program == ["2:1=8:3"] && changed.velocity == "=9")
    #expect(changed.fromBar == "bar3:2" && changed.from == 0 && changed.fadeIn == 1)
  }
}
