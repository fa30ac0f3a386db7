import AudioFile
import Configuration
import FoundationEssentials
import Glibc
import OfflineRenderer

/// What `--report` writes, and what `--json` prints song by song.
///
/// Nothing in it depends on the time of day or the speed of the machine: the same song, SoundFont
/// and options give the same report, byte for byte.
struct RenderReport: Encodable {
  var portative = Command.version
  var soundFont: SoundFont?
  var settings: Settings
  var songs: [Song] = []
  var errors: [SongError] = []

  struct SoundFont: Encodable {
    var path: String
    /// How it was found, in words.
    var origin: String

    init(_ found: FoundSoundFont) {
      path = found.path
      origin = found.origin.description
    }
  }

  struct Settings: Encodable {
    var format: String
    var bits: String?
    var sampleRate: Int
    var gain: Double
    var timing: String
    var reverb: Bool
    var chorus: Bool

    init(_ options: RenderOptions, format: AudioFormat) {
      self.format = format.container.rawValue
      bits =
        switch format.encoding {
        case .pcm16: "16"
        case .pcm24: "24"
        case .float32: "32f"
        case .coded: nil
        }
      sampleRate = options.sampleRate
      gain = options.gain
      timing = options.timing.rawValue
      reverb = options.reverb
      chorus = options.chorus
    }
  }

  /// Levels are in decibels, to a hundredth; absent for silence, and where they were not measured.
  struct Song: Encodable, Equatable {
    var input: String
    var output: String
    var frames: Int
    var seconds: Double
    var bytes: Int
    var hash: String
    var peakDBFS: Double?
    var truePeakDBTP: Double?
    var loudnessLUFS: Double?
    var clippedFrames: Int
    var warnings: [String]

    init(input: String, output: String, figures: AudioFigures, warnings: [String]) {
      self.input = input
      self.output = output
      frames = figures.file.frames
      seconds = figures.seconds
      bytes = figures.file.bytes
      hash = figures.hash
      peakDBFS = Self.decibels(Double(figures.file.peak))
      truePeakDBTP = figures.truePeak.flatMap(Self.decibels)
      loudnessLUFS = figures.integratedLoudness.map(Self.hundredths)
      clippedFrames = figures.file.clippedFrames
      self.warnings = warnings
    }

    private static func decibels(_ level: Double) -> Double? {
      level > 0 ? hundredths(20 * log10(level)) : nil
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  struct SongError: Encodable {
    /// The song it belongs to; absent where it is not about one.
    var input: String?
    var exitCode: Int32
    var message: String

    init(input: String?, _ failure: Failure) {
      self.input = input
      exitCode = failure.code.rawValue
      message = failure.message
    }
  }

  /// Many lines for people and programs alike, with a newline at the end.
  var text: String { Self.encode(self, .prettyPrinted) + "\n" }

  /// Puts the report at `path`, whole or not at all; `-` is standard output.
  func write(to path: String) throws(Failure) {
    do throws(AudioFileError) {
      let output =
        path == "-"
        ? OutputFile(descriptor: STDOUT_FILENO, name: "standard output")
        : try OutputFile(path: path)
      _ = Array(text.utf8).withUnsafeBytes(output.write)
      try output.commit()
    } catch {
      throw Failure(error)
    }
  }

  /// One line: `{"song": …}` or `{"error": …}`.
  static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  private static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Every number here is finite and every key a text, so encoding cannot fail.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
