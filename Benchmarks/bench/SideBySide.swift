import FoundationEssentials

/// Checks that songs rendered in parallel are bit-identical to songs rendered alone.
///
/// Repeats the check often, because races between threads depend on chance.
func sideBySide(_ bench: Bench) throws -> Table {
  var table = Table(
    title: "One-note songs side by side",
    note: "Four songs in one process, compared with each rendered by itself.",
    columns: ["timing", "SoundFont", "compared", "identical"])
  guard let font = bench.fonts(named: ["TimGM6mb"]).first else { return table }
  let songs = try [UInt8]([60, 64, 67, 72]).map { key in
    let path = "\(bench.scratch)/note-\(key).mid"
    try oneNote(key: key).write(to: path)
    return path
  }
  let outputs = songs.map { String($0.dropLast(4)) + ".wav" }
  for timing in ["exact", "stock"] {
    func render(_ songs: [String]) throws -> Child {
      try Child.run(
        bench.portative,
        [
          "render", "--quiet", "--timing", timing, "--jobs", "4", "--soundfont", font.path, "-d",
          bench.scratch,
        ] + songs)
    }
    func read(_ path: String) -> Data? { try? Data(contentsOf: URL(filePath: path)) }
    let references = try zip(songs, outputs).map { song, output in
      _ = try render([song])
      return read(output)
    }
    var compared = 0
    var identical = 0
    for _ in 0..<(bench.isQuick ? 10 : 100) {
      let child = try render(songs)
      compared += songs.count
      guard child.exitCode == 0 else { continue }
      for (output, reference) in zip(outputs, references) {
        if let found = read(output), found == reference { identical += 1 }
      }
    }
    table.rows.append([.text(timing), .text(font.name), .count(compared), .count(identical)])
  }
  return table
}
