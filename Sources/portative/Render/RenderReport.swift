import AudioFile
import Configuration
import FluidSynthInstrument
import FoundationEssentials
import Glibc
import MIDIFile
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

  mutating func add(_ outcome: RenderSession.Outcome, of job: RenderPlan.Job) {
    switch outcome {
    case .success(let song): songs.append(song.entry)
    case .failure(let failure): errors.append(SongError(input: job.input, failure))
    }
  }

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
    /// As `--tail` takes it.
    var tail: String
    /// Seconds.
    var maximumTail: Double
    var from: Double
    var to: Double?

    init(_ options: SongOptions, format: AudioFormat) {
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
      tail =
        switch options.tail {
        case .exact: "exact"
        case .silence: "silence"
        case .bar: "bar"
        case .seconds(let seconds): OptionValue.brief(seconds)
        }
      maximumTail = options.settings.maximumTail
      from = options.start
      to = options.end
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
    var notes: Int
    var silentNotes: Int
    var legatoNotes: Int
    var stolenNotes: Int
    var unreleasedNotes: Int
    var inexactOnsets: Int
    /// The most at once.
    var voices: Int
    var lanes: Int
    var clippedSends: Int
    var isTailCut: Bool
    var missingPresets: [MissingPreset]
    var repairs: [Mended]
    /// Repairs beyond those listed.
    var unlistedRepairs: Int
    var warnings: [String]

    init(input: String, output: String, _ report: SongReport, warnings: [String]) {
      self.input = input
      self.output = output
      let (audio, statistics) = (report.audio, report.statistics)
      frames = audio.file.frames
      seconds = audio.seconds
      bytes = audio.file.bytes
      hash = audio.hash
      peakDBFS = Self.decibels(Double(audio.file.peak))
      truePeakDBTP = audio.truePeak.flatMap(Self.decibels)
      loudnessLUFS = audio.integratedLoudness.map(Self.hundredths)
      clippedFrames = audio.file.clippedFrames
      notes = statistics.notes
      silentNotes = statistics.silentNotes
      legatoNotes = statistics.legatoNotes
      stolenNotes = statistics.stolenNotes
      unreleasedNotes = report.unreleasedNotes
      inexactOnsets = statistics.inexactOnsets
      voices = statistics.mostVoices
      lanes = statistics.mostLanes
      clippedSends = statistics.clippedSends
      isTailCut = report.isTailCut
      missingPresets = report.substitutions.map(MissingPreset.init)
      repairs = report.repairs.map(Mended.init)
      unlistedRepairs = report.unlistedRepairs
      self.warnings = warnings
    }

    private static func decibels(_ level: Double) -> Double? {
      level > 0 ? hundredths(20 * log10(level)) : nil
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  /// A preset that is not in the SoundFont, and what played instead; `nil` where nothing did.
  struct MissingPreset: Encodable, Equatable {
    struct Preset: Encodable, Equatable {
      var bank: Int
      var program: Int
    }
    var bank: Int
    var program: Int
    var replacement: Preset?

    init(_ substitution: PresetSubstitution) {
      bank = substitution.bank
      program = substitution.program
      replacement = substitution.replacement.map { Preset(bank: $0.bank, program: $0.program) }
    }
  }

  /// A fault of the file, where it is, and what was done about it.
  struct Mended: Encodable, Equatable {
    var offset: Int
    var found: String
    var done: String

    init(_ repair: Repair) {
      offset = repair.offset
      found = repair.kind.found
      done = repair.kind.done
    }
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

  /// Writes the report, and makes the file appear.
  func write(to file: OutputFile) throws(Failure) {
    do throws(AudioFileError) {
      _ = Array(text.utf8).withUnsafeBytes(file.write)
      try file.commit()
    } catch {
      throw Failure(error)
    }
  }

  /// Opens a file for it, early enough that the songs are not rendered in vain.
  ///
  /// - Parameter path: `-` is standard output.
  static func open(_ path: String) throws(Failure) -> OutputFile {
    if path == "-" { return OutputFile(descriptor: STDOUT_FILENO, name: "standard output") }
    do throws(AudioFileError) {
      return try OutputFile(path: path)
    } catch {
      throw Failure(error)
    }
  }

  /// One line: `{"soundFont": …}`, `{"song": …}`, `{"cycles": …}` or `{"error": …}`.
  static func line(_ soundFont: SoundFont) -> String { encode(["soundFont": soundFont], []) + "\n" }
  static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  static func line(_ cycles: PlayReport) -> String { encode(["cycles": cycles], []) + "\n" }

  static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Every number here is finite and every key a text, so encoding cannot fail.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
