import FoundationEssentials
import MIDIFile
import RenderCore

/// Measures the overhead of a file: thousands of short files against one song with the same notes in sequence.
func shortFiles(_ bench: Bench) throws -> [Table] {
  guard let font = bench.fonts(named: ["TimGM6mb"]).first else { return [] }
  let counts = bench.isQuick ? [200, 1000] : [1000, 10_000]
  var table = Table(
    title: "Short files, \(font.name)",
    note: "Three notes each, 0.6 s of audio; on one core.",
    columns: ["files", "wall, s", "the same in one song, s", "overhead per file, ms", "peak, MB"])
  var overheads: [Double] = []
  var peaks: [Double] = []
  for count in counts {
    bench.log("library: \(count) short files")
    let folder = "\(bench.scratch)/short"
    let output = "\(bench.scratch)/short-audio"
    defer {
      for path in [folder, output] { try? FileManager.default.removeItem(atPath: path) }
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 0..<count {
      try shortSong(numbers: number..<number + 1).write(to: "\(folder)/\(number).mid")
    }
    let whole = "\(bench.scratch)/whole.mid"
    try shortSong(numbers: 0..<count).write(to: whole)
    func run(_ arguments: [String]) throws -> Child {
      let child = try Child.run(
        bench.portative,
        ["render", "--quiet", "--jobs", "1", "--tail", "exact", "-s", font.path] + arguments,
        cores: 1)
      guard child.exitCode == 0 else {
        throw BenchError("short files: exit code \(child.exitCode)")
      }
      return child
    }
    let many = try run(["-d", output, folder])
    let one = try run(["--max-length", "100:00:00", "-o", "\(bench.scratch)/whole.wav", whole])
    for path in [whole, "\(bench.scratch)/whole.wav"] { deleteFile(path) }
    overheads.append((many.wall - one.wall) / Double(count) * 1000)
    peaks.append(Double(many.peakBytes) / 1e6)
    table.rows.append([
      .count(count), .number(many.wall, digits: 1), .number(one.wall, digits: 1),
      .number(overheads.last ?? .nan, digits: 2), .number(peaks.last ?? .nan, digits: 1),
    ])
  }
  let targets = Table(
    title: "Short files against targets", columns: Target.columns,
    rows: [
      Target.atMost(3, "overhead per file, ms").row(Array(overheads.suffix(1))),
      Target.atMost(1.1, "memory for ten times the files, or five").row([peaks[1] / peaks[0]]),
    ])
  return [table, targets]
}

/// Returns a song with three notes per number; each group of three takes 0.6 s.
private func shortSong(numbers: Range<Int>) -> StandardMIDIFile {
  var events: [StandardMIDIFile.Event] = []
  for (index, number) in numbers.enumerated() {
    for note in 0..<3 {
      let key = UInt8(40 + (number * 7 + note * 5) % 48)
      let begin = Int64(index * 576 + note * 160)
      events.append(.init(tick: begin, .channel(ChannelMessage(.noteOn, channel: 0, key, 90))))
      events.append(
        .init(tick: begin + 120, .channel(ChannelMessage(.noteOff, channel: 0, key, 64))))
    }
  }
  return StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(480),
    tracks: [.init(events, endTick: Int64(numbers.count * 576))])
}
