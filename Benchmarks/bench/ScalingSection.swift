import MIDIFile
import RenderCore

/// Measures time and memory against a song's length and against its number of events.
func scalingSection(_ bench: Bench) throws -> [Table] {
  guard let font = bench.fonts(named: ["TimGM6mb"]).first else { return [] }
  return try [lengths(font, bench), events(font, bench)]
}

private func lengths(_ font: Bench.SoundFont, _ bench: Bench) throws -> Table {
  guard let song = bench.songs(named: ["train_filled_with_cash"]).first else {
    throw BenchError("no song 'train_filled_with_cash' in \(Bench.songFolder)")
  }
  var table = Table(
    title: "A song repeated, exact timing, \(font.name)",
    note: "\(song.name) on \(bench.machine.cores) cores.",
    columns: ["minutes", "events", "wall, s", "cpu, s", "cpu per minute, s", "peak MB"])
  let file = try StandardMIDIFile(at: song.path)
  for minutes in bench.isQuick ? [2, 8] : [15, 30, 60] {
    bench.log("scaling: \(minutes) minutes")
    let path = "\(bench.scratch)/long.mid"
    let seconds = try file.timeline(sampleRate: 48_000).seconds
    let count = Int((Double(minutes) * 60 / seconds).rounded(.up))
    let eventCount = try writeRepeated(file, count, to: path)
    let result = try render(path, font, bench)
    table.rows.append([
      .number(result.seconds / 60, digits: 1), .count(eventCount),
      .number(result.wall, digits: 1), .number(result.cpu, digits: 1),
      .number(result.cpu / result.seconds * 60, digits: 2), .number(result.megabytes, digits: 1),
    ])
  }
  return table
}

private func events(_ font: Bench.SoundFont, _ bench: Bench) throws -> Table {
  var table = Table(
    title: "More events in two minutes, exact timing, \(font.name)",
    note:
      "Of a hundred events, one begins a note of 50 ms, one ends it, and the rest are controllers.",
    columns: ["events", "wall, s", "cpu, s", "cpu per thousand events, ms", "peak MB"])
  for count in bench.isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000] {
    bench.log("scaling: \(count) events")
    let path = "\(bench.scratch)/dense.mid"
    try writeDense(count, to: path)
    let result = try render(path, font, bench)
    table.rows.append([
      .count(count), .number(result.wall, digits: 2), .number(result.cpu, digits: 2),
      .number(result.cpu / Double(count) * 1e6, digits: 2), .number(result.megabytes, digits: 1),
    ])
  }
  return table
}

private struct Result {
  var seconds: Double
  var wall: Double
  var cpu: Double
  var megabytes: Double
}

private func render(_ path: String, _ font: Bench.SoundFont, _ bench: Bench) throws -> Result {
  let contestant = Contestant.portative(bench, timing: "exact", cores: bench.machine.cores)
  let result = try contestant.run(Bench.Song(path: path), font, in: bench)
  deleteFile("\(bench.scratch)/speed.wav")
  return Result(
    seconds: result.seconds, wall: result.child.wall, cpu: result.child.cpu,
    megabytes: Double(result.child.peakBytes) / 1e6)
}

/// - Returns: The number of events in the file.
private func writeRepeated(_ file: StandardMIDIFile, _ count: Int, to path: String) throws -> Int {
  let length = file.tracks.map(\.endTick).max() ?? 0
  let tracks = file.tracks.map { track in
    StandardMIDIFile.Track(
      (0..<Int64(count)).flatMap { repetition in
        track.events.map { .init(tick: $0.tick + repetition * length, $0.content) }
      }, endTick: length * Int64(count))
  }
  try StandardMIDIFile(format: file.format, division: file.division, tracks: tracks)
    .write(to: path)
  return tracks.reduce(0) { $0 + $1.events.count }
}

/// Writes a song of two minutes with 1000 ticks per second.
private func writeDense(_ count: Int, to path: String) throws {
  var random = Seeded(5)
  var events: [StandardMIDIFile.Event] = []
  let controllers: [UInt8] = [1, 7, 10, 11, 91, 93]
  let groupCount = count / 100
  let groupLength = 120_000 / groupCount
  for index in 0..<groupCount {
    let tick = Int64(index * groupLength)
    let channel = UInt8(index % 16)
    let key = UInt8.random(in: 36...84, using: &random)
    func add(_ tick: Int64, _ message: ChannelMessage) {
      events.append(.init(tick: tick, .channel(message)))
    }
    add(tick, ChannelMessage(.noteOn, channel: channel, key, 80))
    add(tick + 50, ChannelMessage(.noteOff, channel: channel, key, 64))
    for number in 0..<98 {
      add(
        tick + Int64(number * groupLength / 98),
        ChannelMessage(
          .controlChange, channel: UInt8.random(in: 0..<16, using: &random),
          controllers.randomElement(using: &random)!, UInt8.random(in: 20...110, using: &random)))
    }
  }
  let ordered = events.enumerated()
    .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
  try StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(500), tracks: [.init(ordered)]
  ).write(to: path)
}
