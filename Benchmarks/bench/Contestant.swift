/// A way of rendering a song to a 16-bit WAV file at 48 kHz, reverb and chorus on.
struct Contestant {
  let name: String
  let program: String
  /// How many it is kept on; `nil`: not kept.
  let cores: Int?
  let arguments: @Sendable (_ song: String, _ font: String, _ output: String) -> [String]

  /// `portative render`, without a tail: with the end of the song it ends, as fluidsynth -F nearly
  /// does.
  static func portative(_ bench: Bench, timing: String, cores: Int) -> Contestant {
    Contestant(
      name: "\(timing), \(cores) \(cores == 1 ? "core" : "cores")", program: bench.portative,
      cores: cores
    ) { song, font, output in
      [
        "render", "--quiet", "--timing", timing, "--jobs", "\(cores)", "--tail", "exact",
        "--soundfont", font, "-o", output, song,
      ]
    }
  }

  /// `fluidsynth -F` with its own defaults.
  static func fluidSynth(cores: Int? = nil) -> Contestant {
    Contestant(
      name: cores == 1 ? "fluidsynth -F, 1 core" : "fluidsynth -F", program: "fluidsynth",
      cores: cores
    ) { song, font, output in ["-ni", "-F", output, "-r", "48000", font, song] }
  }

  /// One whole run, start-up included.
  struct Result {
    var child: Child
    /// Seconds of audio in the file.
    var seconds: Double
    /// Seconds of audio for each second on the clock.
    var speed: Double { seconds / child.wall }
    /// Processor time for a second of audio.
    var cpuPerSecond: Double { child.cpu / seconds }
  }

  func run(_ song: Bench.Song, _ font: Bench.SoundFont, in bench: Bench) throws -> Result {
    let output = "\(bench.scratch)/speed.wav"
    let child = try Child.run(
      program, arguments(song.path, font.path, output), cores: cores)
    guard child.exitCode == 0, let bytes = fileSize(output) else {
      throw BenchError("\(name) ended with exit code \(child.exitCode) on '\(song.path)'")
    }
    // 44 bytes of header or a few more, then two samples of two bytes to a frame.
    return Result(child: child, seconds: Double(bytes - 44) / 4 / 48_000)
  }
}
