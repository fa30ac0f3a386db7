import MIDIFile
import RenderCore

/// Measures the time of a run that renders almost nothing.
func startSection(_ bench: Bench) throws -> [Table] {
  let note = Bench.Song(path: "\(bench.scratch)/one-note.mid")
  try oneNote().write(to: note.path)
  var table = Table(
    title: "Start-up, milliseconds",
    note: "Median (minimum…maximum) of complete runs. The song is one note of half a second.",
    columns: ["run", "SoundFont", "wall", "cpu"])
  func measure(_ name: String, _ font: String, _ run: () throws -> Child) throws {
    let children = try (0..<(bench.isQuick ? 6 : 21)).map { _ in try run() }.dropFirst()
    table.rows.append([
      .text(name), .text(font),
      .runs(Runs(children.map { $0.wall * 1000 }), digits: 1),
      .runs(Runs(children.map { $0.cpu * 1000 }), digits: 1),
    ])
  }
  try measure("portative --version", "–") { try Child.run(bench.portative, ["--version"]) }
  for font in bench.fonts {
    for contestant in [
      Contestant.portative(bench, timing: "exact", cores: 1),
      .portative(bench, timing: "stock", cores: 1), .fluidSynth(cores: 1),
    ] {
      try measure("one note, \(contestant.name)", font.name) {
        try contestant.run(note, font, in: bench).child
      }
    }
  }
  return [table]
}

/// Returns a song with one piano note of half a second.
func oneNote(key: UInt8 = 60) -> StandardMIDIFile {
  StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(480),
    tracks: [
      .init([
        .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 0, key, 100))),
        .init(tick: 480, .channel(ChannelMessage(.noteOff, channel: 0, key, 64))),
      ])
    ])
}
