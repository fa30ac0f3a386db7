import FluidSynthEngine
import MIDIFile
import RenderCore
import Testing

@testable import OfflineRenderer

private func program(_ tick: Int64, _ number: UInt8, channel: UInt8) -> Event {
  Event(tick: tick, .channel(ChannelMessage(.programChange, channel: channel, number, 0)))
}

private func text(_ text: String, _ kind: TextKind = .trackName) -> Event {
  Event(tick: 0, .meta(.text(text, kind)))
}

private func plan(
  _ tracks: [[Event]], _ grouping: StemGrouping, end: Int = 100_000
) throws -> StemPlan {
  let file = StandardMIDIFile(
    format: .simultaneous, division: .ticksPerQuarter(24_000), tracks: tracks.map { .init($0) })
  return try StemPlan(try file.timeline(sampleRate: 48_000), end: end, by: grouping)
}

private let presets = [
  SoundFontPreset(name: "Grand: Piano", selection: .init(bank: 0, program: 0)),
  SoundFontPreset(name: "Bright", selection: .init(bank: 8, program: 0)),
  SoundFontPreset(name: "Kit", selection: .init(bank: 128, program: 0)),
]

private let sounds = PlayedSounds(presets: presets)

/// A conductor track, a melody on channel 1, chords on channels 1 and 3, and drums.
private let band: [[Event]] = [
  [text("My Song")],
  [text("Melody"), on(0, 60), on(100, 62), off(200, 62)],
  [text("Chords"), control(0, 0, 8, channel: 2), on(50, 48, channel: 2), on(300, 50)],
  [text(" "), text("Snare", .instrumentName), on(100, 38, channel: 9), on(90_000, 38, channel: 9)],
]

@Test func `by channel, each note belongs to its channel, and only channels with notes count`()
  throws
{
  let plan = try plan(band, .channel)
  #expect(plan.stems.map(\.number) == [1, 3, 10])
  #expect(plan.stemOfNote == [0, 1, 0, 2, 0, 2])
  // A track that plays several channels does not name their stems.
  #expect(plan.stems.map { $0.name(sounds) } == ["Melody", "Bright", "Snare"])
}

@Test func `by track, each note belongs to its track, and only tracks with notes count`() throws {
  let plan = try plan(band, .track)
  #expect(plan.stems.map(\.number) == [2, 3, 4])
  #expect(plan.stemOfNote == [0, 1, 0, 2, 1, 2])
  #expect(plan.stems.map { $0.name(sounds) } == ["Melody", "Chords", "Snare"])
}

@Test func `notes on the file's last tick count`() throws {
  #expect(try plan([[on(0, 60), on(100, 60, channel: 1)]], .channel, end: 100).stems.count == 2)
}

@Test func `notes after the end do not count`() throws {
  let late = [[on(0, 60), on(100, 60, channel: 1), off(200, 60)]]
  #expect(try plan(late, .channel, end: 100).stems.map(\.number) == [1])
  #expect(try plan(late, .channel, end: 101).stems.map(\.number) == [1, 2])
  #expect(try plan(late, .channel, end: 0).stems == [])
}

@Test func `without a name a channel has the name of its first note's preset, or its number`()
  throws
{
  let events = [
    on(0, 60), program(0, 5, channel: 1), on(10, 60, channel: 1), program(0, 9, channel: 9),
    on(20, 38, channel: 9), control(20, 0, 9, channel: 3), on(30, 60, channel: 3),
  ].sorted { $0.tick < $1.tick }
  let plan = try plan([events], .channel)
  #expect(
    plan.stems.map { $0.name(sounds) } == ["Grand- Piano", "Channel 2", "Grand- Piano", "Kit"])
  #expect(try StemPlanTracks.name([on(0, 60)]) == "Track 1")
}

private enum StemPlanTracks {
  static func name(_ events: [Event]) throws -> String {
    try plan([events], .track).stems[0].name(sounds)
  }
}

@Test func `more tracks than the maximum of stems are refused with the remedy`() throws {
  let tracks = (0..<129).map { track in [on(Int64(track), 60)] }
  let error = #expect(throws: RenderError.self) { try plan(tracks, .track) }
  #expect(error?.description.contains("129 tracks") == true)
  #expect(error?.description.contains("128 stems") == true)
  #expect(error?.description.contains("by channel") == true)
  #expect(try plan(Array(tracks.dropLast()), .track).stems.count == 128)
  #expect(try plan(tracks, .channel).stems.count == 1)
}
