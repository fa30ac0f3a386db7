import FoundationEssentials
import Glibc

/// A program, or several, that renders many songs to 16-bit WAV files at 48 kHz.
struct LibraryContestant {
  enum Role { case exact, exactOne, dry, stock, loop, xargs, symusic }

  let role: Role
  let name: String
  /// The number of processors to run on; `nil`: all.
  var cores: Int?
  /// Returns the commands to run in sequence.
  let commands: @Sendable (_ songs: [String], _ font: String, _ output: String) throws -> [[String]]

  static func all(_ bench: Bench) -> [LibraryContestant] {
    let cores = bench.machine.cores
    var all = [
      portative(bench, .exact, timing: "exact", jobs: cores),
      portative(bench, .exactOne, timing: "exact", jobs: 1),
      portative(bench, .dry, timing: "exact", jobs: cores, hasEffects: false),
      portative(bench, .stock, timing: "stock", jobs: cores),
      LibraryContestant(role: .loop, name: "fluidsynth -F in a loop") { songs, font, output in
        songs.map { ["fluidsynth", "-ni", "-F", "\(output)/loop.wav", "-r", "48000", font, $0] }
      },
      LibraryContestant(role: .xargs, name: "xargs -P \(cores) fluidsynth -F") {
        songs, font, output in
        let list = "\(output)/songs.txt"
        try Data(songs.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        let each = "fluidsynth -ni -F '\(output)/'$$.wav -r 48000 '\(font)' '{}' >/dev/null"
        return [["xargs", "-P", "\(cores)", "-a", list, "-I{}", "sh", "-c", each]]
      },
    ]
    if let python = symusicPython {
      all.append(
        LibraryContestant(role: .symusic, name: "symusic 0.5, no effects, no controllers") {
          songs, font, output in
          [[python, "-c", symusicProgram, font, "\(output)/symusic.wav"] + songs]
        })
    } else {
      printError("skipped: symusic (tools/install-symusic installs it)")
    }
    return all
  }

  private static func portative(
    _ bench: Bench, _ role: Role, timing: String, jobs: Int, hasEffects: Bool = true
  ) -> LibraryContestant {
    let name =
      "portative, \(timing), \(jobs) job\(jobs == 1 ? ", 1 core" : "s")"
      + (hasEffects ? "" : ", no effects")
    let effects = hasEffects ? "on" : "off"
    return LibraryContestant(role: role, name: name, cores: jobs == 1 ? 1 : nil) {
      [path = bench.portative] songs, font, output in
      [
        [
          path, "render", "--quiet", "--timing", timing, "--jobs", "\(jobs)", "--tail", "exact",
          "--reverb", effects, "--chorus", effects, "--soundfont", font, "-d", output,
        ] + songs
      ]
    }
  }

  /// The Python interpreter that `tools/install-symusic` installs, or `nil` if it is missing.
  private static var symusicPython: String? {
    let cache = getenv("XDG_CACHE_HOME").map { String(cString: $0) }
    let home = getenv("HOME").map { String(cString: $0) + "/.cache" }
    guard let folder = cache ?? home else { return nil }
    let path = "\(folder)/portative/symusic/bin/python"
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Uses one synthesizer for all songs, as its users would; it has no effects and no controllers.
  private static let symusicProgram = """
    import sys
    from symusic import Score, Synthesizer, dump_wav
    synthesizer = Synthesizer(sys.argv[1], 48000)
    for song in sys.argv[3:]:
        dump_wav(sys.argv[2], synthesizer.render(Score(song), True), 48000, use_int16=True)
    """

  /// - Returns: The sum of the commands' times, and the maximum of their memory peaks.
  func run(_ songs: [Bench.Song], _ font: Bench.SoundFont, in bench: Bench) throws -> Child {
    let output = "\(bench.scratch)/library"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: output) }
    var sum = Child(exitCode: 0, wall: 0, cpu: 0, peakBytes: 0, output: "")
    for command in try commands(songs.map(\.path), font.path, output) {
      let child = try Child.run(command[0], Array(command.dropFirst()), cores: cores)
      guard child.exitCode == 0 else {
        throw BenchError("\(name) ended with exit code \(child.exitCode)")
      }
      sum.wall += child.wall
      sum.cpu += child.cpu
      sum.peakBytes = max(sum.peakBytes, child.peakBytes)
    }
    return sum
  }
}
