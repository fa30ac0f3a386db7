import AudioFile
import FluidSynthEngine
import MIDIFile
import RenderCore
import TestSupport
import Testing

@testable import OfflineRenderer

// Songs with several ports.

/// Returns a track in which each note has the program's sound, on channels 1 and 10.
private func part(port: UInt8?, program: UInt8, _ keys: [UInt8]) -> [Event] {
  var events: [Event] = []
  if let port { events.append(Event(tick: 0, .meta(.port(port)))) }
  events.append(Event(tick: 0, .channel(ChannelMessage(.programChange, channel: 0, program))))
  for (index, key) in keys.enumerated() {
    let tick = Int64(index) * 5_000 + Int64(program)
    events += [
      on(tick, key), on(tick, 38, channel: 9), off(tick + 3_000, key),
      off(tick + 3_000, 38, channel: 9),
    ]
  }
  return events
}

private func file(_ tracks: [[Event]]) -> StandardMIDIFile {
  StandardMIDIFile(
    format: .simultaneous, division: .ticksPerQuarter(24_000),
    tracks: tracks.map { .init($0, endTick: 30_000) })
}

private let first = part(port: 0, program: 0, [60, 64, 67])
private let second = part(port: 3, program: 48, [72, 60])
private let song = file([first, second])

private struct Rendered {
  var audio: [[Float]]
  var stems: [String]
  var labels: SongLabels
  var report: SongReport
}

private func render(
  _ song: StandardMIDIFile, stems: StemGrouping? = nil,
  _ change: (inout RenderSettings) -> Void = { _ in }
) throws -> Rendered {
  var settings = RenderSettings()
  settings.tail = .seconds(1)
  change(&settings)
  let stream = try SongStream(
    song, soundFont: .open(bundledSoundFont), settings: settings, stems: stems,
    hasLabels: settings.timing == .exact,
    resources: SharedRenderResources(concurrencyLimit: 1, cacheBytes: settings.cacheBytes))
  var audio = [[Float]](repeating: [], count: stream.channels)
  while try stream.next({ channels in
    for (index, channel) in channels.enumerated() { audio[index] += channel }
  }) {}
  let range = try FrameRange(song, settings)
  let none = SongLabels(range, [], returns: [], frames: 0, isCut: false, hasMessages: false)
  return Rendered(
    audio: audio, stems: stream.stems.map(\.name), labels: stream.labels() ?? none,
    report: stream.report)
}

private func sum(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 + $1 } }

@Test(arguments: [Timing.exact, .stock])
func `each port has channels of its own, and the song is the sum of its ports`(timing: Timing)
  throws
{
  let both = try render(song) { $0.timing = timing }
  let alone = try [first, second].map { part in
    try render(file([part])) { $0.timing = timing }.audio
  }
  for channel in 0..<2 {
    #expect(both.audio[channel] == sum(alone[0][channel], alone[1][channel]))
  }
  #expect(both.report.statistics.notes == 10)
}

@Test func `superposition: two ports have the dry sound of two channels of one`() throws {
  let other = second.map { event -> Event in
    guard case .channel(let message) = event.content, message.channel == 0 else { return event }
    return Event(
      tick: event.tick,
      .channel(ChannelMessage(message.kind, channel: 1, message.data1, message.data2)))
  }.filter { if case .meta = $0.content { false } else { true } }
  // The drums of both ports would retrigger each other on one channel.
  func withoutDrums(_ events: [Event]) -> [Event] {
    events.filter {
      if case .channel(let message) = $0.content { message.channel != 9 } else { true }
    }
  }
  let dry: (inout RenderSettings) -> Void = { $0.effects = Effects(reverb: false, chorus: false) }
  let ports = try render(file([withoutDrums(first), withoutDrums(second)]), stems: .note, dry)
  let channels = try render(file([withoutDrums(first), withoutDrums(other)]), stems: .note, dry)
  // The stem of all notes is rounded once, whatever their ports.
  #expect(ports.stems.first == "dry")
  #expect(ports.audio[2] == channels.audio[2] && ports.audio[3] == channels.audio[3])
}

@Test(arguments: [(1, 0), (3, 0), (2, 16 << 20)])
func `threads and recordings do not change the samples of a song with ports`(
  threads: Int, cacheBytes: Int
) throws {
  func hash(_ threads: Int, _ cacheBytes: Int) throws -> String {
    let folder = try TemporaryFolder()
    var settings = RenderSettings()
    (settings.threads, settings.cacheBytes) = (threads, cacheBytes)
    return try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings)
      .render(song, to: folder.file()).audio.hash
  }
  #expect(try hash(threads, cacheBytes) == hash(1, 0))
}

@Test func `stems are those of each port and channel, and add up`() throws {
  let stems = try render(song, stems: .channel)
  #expect(stems.stems.count == 5)
  let plain = try render(song)
  #expect(stems.audio[0] == plain.audio[0])
  let piano = try render(file([first.filter { !$0.isDrum }]), stems: .channel)
  #expect(stems.audio[2] == piano.audio[2] && stems.audio[3] == piano.audio[3])
  for frame in stride(from: 0, to: stems.audio[0].count, by: 97) {
    let parts = (1...5).reduce(Float(0)) { $0 + stems.audio[2 * $1][frame] }
    #expect(abs(parts - stems.audio[0][frame]) < 1e-6)
  }
}

@Test func `labels name the port of each note, and the note that ended it`() throws {
  let labels = try render(
    file([
      [Event(tick: 0, .meta(.port(0))), on(0, 60), off(9_000, 60)],
      [Event(tick: 0, .meta(.port(1))), on(100, 60), on(1_000, 60), off(9_000, 60)],
    ])
  ).labels
  #expect(labels.notes.map(\.port) == [0, 1, 1])
  #expect(labels.notes.map(\.note) == [0, 1, 2])
  #expect(labels.notes.map(\.endedBy) == [nil, 2, nil])
  #expect(labels.ports == [.init(number: 0), .init(number: 1)])
  #expect(labels.lines.contains(#""ports":[{"number":0},{"number":1}]"#))
  let again = try StandardMIDIFile(decoding: labels.performance)
  let timeline = try again.timeline(sampleRate: 48_000)
  #expect(timeline.ports == labels.ports)
  #expect(timeline.events.filter(\.startsNote).map(\.port) == [0, 1, 1])
}

@Test func `notes that monophonic channels of several ports return to have numbers of their own`()
  throws
{
  func mono(_ port: UInt8, _ key: UInt8) -> [Event] {
    [
      Event(tick: 0, .meta(.port(port))), control(0, 126, 1), on(1_000, key), on(5_000, key + 4),
      off(9_000, key + 4), on(13_000, key + 7), off(17_000, key + 7), off(25_000, key),
    ]
  }
  let stream = try SongStream(
    file([mono(0, 60), mono(1, 48)]), soundFont: .open(bundledSoundFont),
    settings: RenderSettings(), stems: .note, hasLabels: true,
    resources: SharedRenderResources(concurrencyLimit: 1, cacheBytes: 0))
  var dry: [Float] = []
  while try stream.next({ dry += $0[2] }) {}
  let notes = try #require(stream.labels()).notes
  #expect(Set(notes.map(\.note)) == Set(0..<10))
  let returns = notes.filter { $0.returnOf != nil }.sorted { $0.note < $1.note }
  #expect(returns.map(\.note) == [6, 7, 8, 9])
  #expect(returns.map(\.port) == [0, 1, 0, 1])
  #expect(returns.map(\.key) == [60, 48, 60, 48])
  #expect(returns.map(\.track) == [0, 1, 0, 1])
  #expect(returns.map(\.returnOf) == [0, 1, 0, 1])
  // Each note ends the one before it on its port.
  let port = notes.filter { $0.port == 1 }.sorted { $0.onset < $1.onset }
  #expect(port.map(\.endedBy) == port.dropFirst().map { $0.note as Int? } + [nil])
  var sum = [Float](repeating: 0, count: dry.count)
  for note in notes {
    let samples = stream.samples(ofNote: note.note) ?? []
    for frame in 0..<samples.count / 2 { sum[note.onset + frame] += samples[2 * frame] }
  }
  #expect(zip(sum, dry).allSatisfy { abs($0 - $1) < 1e-6 })
}

@Test func `a reset ends the notes of its port only`() throws {
  let reset = Event(tick: 1_000, .sysEx([0x7E, 0x7F, 0x09, 0x01]))
  let labels = try render(
    file([
      [Event(tick: 0, .meta(.port(0))), on(0, 60), reset, off(9_000, 60)],
      [Event(tick: 0, .meta(.port(1))), on(0, 60), off(9_000, 60)],
    ])
  ).labels
  #expect(labels.notes.map(\.ending) == [.silenced, .released])
}

@Test func `keys that the song leaves down are released on each port`() throws {
  let report = try render(
    file([
      [Event(tick: 0, .meta(.port(0))), on(0, 60)], [Event(tick: 0, .meta(.port(1))), on(0, 60)],
    ])
  ).report
  #expect(report.unreleasedNotes == 2)
}

extension Event {
  fileprivate var isDrum: Bool {
    if case .channel(let message) = content { message.channel == 9 } else { false }
  }
}
