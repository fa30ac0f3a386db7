import FluidSynthEngine
import MIDIFile
import RenderCore
import Testing

@testable import OfflineRenderer

private func played(_ events: [Event], end: Int64 = 48_000, from: Double = 0, to: Double? = nil)
  throws -> [RollNote]
{
  var settings = RenderSettings()
  settings.start = .seconds(from)
  settings.end = to.map { .seconds($0) }
  var notes: [RollNote] = []
  PlayedNotes(try FrameRange(song(events, end: end), settings)).forEachNote { note, _ in
    notes.append(note)
  }
  return notes
}

private func note(
  _ start: Int, _ end: Int, _ release: Int? = nil, _ key: UInt8 = 60, velocity: UInt8 = 100
) -> RollNote {
  RollNote(
    start: start, end: end, release: release ?? end, key: key, velocity: velocity, channel: 0)
}

@Test func `a note lasts as long as its key, and sounds as long as its pedal`() throws {
  let events = [
    on(0, 60), off(1000, 60), control(2000, 64, 127), on(3000, 62), off(4000, 62),
    control(6000, 64, 0), on(7000, 64),
  ]
  #expect(
    try played(events) == [
      note(0, 1000), note(3000, 4000, 6000, 62), note(7000, 48_000, nil, 64),
    ])
}

@Test func `a retriggered key ends its note, and all notes off ends all`() throws {
  #expect(
    try played([on(0, 60), on(500, 60), control(900, 123, 0)]) == [note(0, 500), note(500, 900)])
  #expect(
    try played([control(0, 64, 127), on(0, 60), control(900, 123, 0), control(950, 120, 0)])
      == [note(0, 900, 950)])
}

@Test func `a part of a song has the notes that sound in it, with times from its beginning`() throws
{
  let events = [on(0, 60), off(24_000, 60), on(0, 62), off(48_000, 62), on(40_000, 64)]
    .sorted { $0.tick < $1.tick }
  #expect(
    try played(events, end: 96_000, from: 0.6, to: 0.9) == [
      note(-28_800, 14_400, nil, 62), note(11_200, 14_400, nil, 64),
    ])
}

@Test func `a note on the last tick is played, unless the part ends there and not the song`() throws
{
  let events = [on(0, 60), off(48_000, 60), on(48_000, 62)]
  #expect(try played(events) == [note(0, 48_000), note(48_000, 48_000, nil, 62)])
  #expect(try played(events, end: 96_000, to: 1) == [note(0, 48_000)])
}

@Test func `a note has the program at its beginning`() throws {
  let change = Event(tick: 100, .channel(ChannelMessage(.programChange, channel: 0, 40)))
  var programs: [Int] = []
  let events = [on(0, 60), change, off(200, 60), on(300, 60), off(400, 60)]
  PlayedNotes(try FrameRange(song(events), RenderSettings())).forEachNote {
    programs.append($1.program)
  }
  #expect(programs == [0, 40])
}

@Test func `a note has the bank that was chosen before its program, and drums have their own`()
  throws
{
  let events = [
    control(0, 0, 8), on(1, 60),
    Event(tick: 2, .channel(ChannelMessage(.programChange, channel: 0, 4))), off(3, 60),
    on(4, 62), off(5, 62), Event(tick: 6, .channel(ChannelMessage(.noteOn, channel: 9, 38, 99))),
  ]
  let presets = [
    SoundFontPreset(name: "Piano", selection: PresetSelection(bank: 0, program: 4)),
    SoundFontPreset(name: "Kit", selection: PresetSelection(bank: 128, program: 0)),
  ]
  let range = try FrameRange(song(events), RenderSettings())
  let notes = PlayedNotes(range, PlayedSounds(presets: presets))
  var played: [RollPreset] = []
  notes.forEachNote { played.append($1) }
  let expected = [(0, 0), (8, 4), (128, 0)].map { RollPreset(bank: $0.0, program: $0.1) }
  #expect(played == expected)
  // A missing variation is played by the preset of bank 0.
  #expect(expected.map(notes.name) == [nil, "Piano", "Kit"])
  // Another instrument plays the first channel.
  let others = PlayedNotes(
    range,
    PlayedSounds(presets: presets, instruments: ["Organ"]) { channel, _ in channel == 0 ? 0 : nil })
  var names: [String?] = []
  others.forEachNote { names.append(others.name(of: $1)) }
  #expect(names == ["Organ", "Organ", "Kit"])
}
