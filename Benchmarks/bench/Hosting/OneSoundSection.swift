/// The law of one sound: songs through a connection, against `portative render`, byte for byte.
func oneSoundSection(_ bench: Bench) throws -> [Table] {
  guard let font = bench.fonts(named: ["TimGM6mb"]).first else { return [] }
  let songs = bench.isQuick ? Array(bench.songs.prefix(4)) : bench.songs
  let lengths = bench.isQuick ? ["100", "random"] : ["64", "100", "1024", "random"]
  let server = try ServerProcess(bench, ports: bench.machine.cores, font: font)
  defer { server.end() }
  var table = Table(
    title: "One sound: files of `portative play`, through a connection, against `portative render`",
    note: "\(songs.count) songs, \(font.name), effects included.",
    columns: ["frames of a cycle", "songs identical", "of", "all"])
  var same = [Int](repeating: 0, count: lengths.count)
  for group in stride(from: 0, to: songs.count, by: bench.machine.cores) {
    let part = Array(songs[group..<min(group + bench.machine.cores, songs.count)])
    bench.say("onesound: \(part.map(\.name).joined(separator: ", "))")
    // One port each, side by side.
    let results = try inParallel(part.count) { port in
      try compare(part[port], port, font, lengths, in: bench)
    }
    for result in results { for (i, isSame) in result.enumerated() where isSame { same[i] += 1 } }
  }
  for (length, count) in zip(lengths, same) {
    table.rows.append([
      .text(length), .count(count), .count(songs.count), .met(count == songs.count),
    ])
  }
  return [table]
}

/// - Returns: For each length, whether the files are the same.
private func compare(
  _ song: Bench.Song, _ port: Int, _ font: Bench.SoundFont, _ lengths: [String], in bench: Bench
) throws -> [Bool] {
  let rendered = "\(bench.scratch)/rendered\(port).wav"
  let played = "\(bench.scratch)/played\(port).wav"
  defer {
    deleteFile(rendered)
    deleteFile(played)
  }
  let render = try Child.run(
    bench.portative,
    ["render", "--quiet", "--jobs", "1", "--soundfont", font.path, "-o", rendered, song.path])
  guard render.exitCode == 0 else { throw BenchError("'\(song.path)' is not rendered") }
  return try lengths.map { length in
    let play = try Child.run(
      bench.portative,
      [
        "play", "--quiet", "--node", ServerProcess.name(port), "--cycle", length, "-o", played,
        song.path,
      ], showsErrors: true)
    guard play.exitCode == 0 else {
      throw BenchError("'\(song.path)' is not played in cycles of \(length)")
    }
    let compare = try Child.run("cmp", [rendered, played], showsErrors: true)
    if compare.exitCode != 0 { complain("'\(song.name)' differs in cycles of \(length)") }
    return compare.exitCode == 0
  }
}
