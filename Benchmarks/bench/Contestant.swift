/// A program that renders a song to a 16-bit WAV file at 48 kHz with reverb and chorus.
struct Contestant {
  let name: String
  let program: String
  /// The number of processors to run on; `nil`: no restriction.
  let cores: Int?
  let arguments: @Sendable (_ song: String, _ font: String, _ output: String) -> [String]

  /// `portative render` without a tail: it ends with the song, as `fluidsynth -F` nearly does.
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

  /// `fluidsynth -F` with its default settings.
  static func fluidSynth(cores: Int? = nil) -> Contestant {
    Contestant(
      name: cores == 1 ? "fluidsynth -F, 1 core" : "fluidsynth -F", program: "fluidsynth",
      cores: cores
    ) { song, font, output in ["-ni", "-F", output, "-r", "48000", font, song] }
  }

  /// One complete run, including start-up.
  struct Result {
    var child: Child
    /// The length of the audio in seconds.
    var seconds: Double
    /// Seconds of audio per second of wall time.
    var speed: Double { seconds / child.wall }
    /// Seconds of processor time per second of audio.
    var cpuPerSecond: Double { child.cpu / seconds }
  }

  func run(_ song: Bench.Song, _ font: Bench.SoundFont, in bench: Bench) throws -> Result {
    let output = "\(bench.scratch)/speed.wav"
    let child = try Child.run(
      program, arguments(song.path, font.path, output), cores: cores)
    guard child.exitCode == 0, let bytes = fileSize(output) else {
      throw BenchError("\(name) ended with exit code \(child.exitCode) on '\(song.path)'")
    }
    // The header takes 44 bytes or slightly more; a frame has two samples of two bytes.
    return Result(child: child, seconds: Double(bytes - 44) / 4 / 48_000)
  }
}
