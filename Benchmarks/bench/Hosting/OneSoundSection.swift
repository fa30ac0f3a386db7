/// Checks that `portative play` through a connection writes the same bytes as `portative render`.
func oneSoundSection(_ bench: Bench) throws -> [Table] {
  guard let font = bench.fonts(named: ["TimGM6mb"]).first else { return [] }
  let songs = bench.isQuick ? Array(bench.songs.prefix(4)) : bench.songs
  let cycleLengths = bench.isQuick ? ["100", "random"] : ["64", "100", "1024", "random"]
  let server = try ServerProcess(bench, ports: bench.machine.cores, font: font)
  defer { server.end() }
  var table = Table(
    title: "One sound: files of `portative play`, through a connection, against `portative render`",
    note: "\(songs.count) songs, \(font.name), effects included.",
    columns: ["frames of a cycle", "songs identical", "of", "all"])
  var identical = [Int](repeating: 0, count: cycleLengths.count)
  for group in stride(from: 0, to: songs.count, by: bench.machine.cores) {
    let part = Array(songs[group..<min(group + bench.machine.cores, songs.count)])
    bench.log("onesound: \(part.map(\.name).joined(separator: ", "))")
    // Each song has its own port, so the songs run in parallel.
    let results = try inParallel(part.count) { port in
      try compare(part[port], port, font, cycleLengths, in: bench)
    }
    for result in results {
      for (index, isIdentical) in result.enumerated() where isIdentical { identical[index] += 1 }
    }
  }
  for (length, count) in zip(cycleLengths, identical) {
    table.rows.append([
      .text(length), .count(count), .count(songs.count), .met(count == songs.count),
    ])
  }
  return [table]
}

/// - Parameter cycleLengths: Values of the option `--cycle`.
/// - Returns: For each cycle length, whether the played file is identical to the rendered file.
private func compare(
  _ song: Bench.Song, _ port: Int, _ font: Bench.SoundFont, _ cycleLengths: [String],
  in bench: Bench
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
  guard render.exitCode == 0 else { throw BenchError("cannot render '\(song.path)'") }
  return try cycleLengths.map { length in
    let play = try Child.run(
      bench.portative,
      [
        "play", "--quiet", "--node", ServerProcess.name(port), "--cycle", length, "-o", played,
        song.path,
      ], showsErrors: true)
    guard play.exitCode == 0 else {
      throw BenchError("cannot play '\(song.path)' in cycles of \(length) frames")
    }
    let compare = try Child.run("cmp", [rendered, played], showsErrors: true)
    if compare.exitCode != 0 { printError("'\(song.name)' differs in cycles of \(length)") }
    return compare.exitCode == 0
  }
}
