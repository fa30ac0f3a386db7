package import AudioFile
import FluidSynthEngine
import LocalSystem
import OfflineRenderer

extension RenderReport {
  package struct Settings: Codable, Equatable {
    package var format: String
    /// How samples are kept: pcm16, pcm24, float32, or coded with loss.
    package var encoding: String
    /// Hertz.
    package var sampleRate: Int
    /// Decibels.
    package var gain: Double
    /// What `--normalize` asked for: one of them, or none.
    package var normalizeDBTP: Double?
    package var normalizeLUFS: Double?
    package var timing: String
    package var reverb: Bool
    /// Absent where it is the library's default.
    package var reverbEngine: String?
    package var chorus: Bool
    /// As `--tail` takes it, or `seconds`.
    package var tail: String
    package var tailSeconds: Double?
    /// Seconds.
    package var maximumTail: Double
    package var from: Double
    package var to: Double?
    /// Absent where no picture is drawn.
    package var image: Bool?
    package var stems: String?

    package init(_ options: SongOptions, format: AudioFormat) {
      self.format = format.container.rawValue
      encoding =
        switch format.encoding {
        case .pcm16: "pcm16"
        case .pcm24: "pcm24"
        case .float32: "float32"
        case .coded: "coded"
        }
      sampleRate = options.sampleRate
      gain = options.gain
      switch options.normalization {
      case .truePeak(let level): normalizeDBTP = level
      case .loudness(let level): normalizeLUFS = level
      case nil: break
      }
      timing = options.timing.rawValue
      reverb = options.reverb
      reverbEngine = options.reverbEngine
      chorus = options.chorus
      (tail, tailSeconds) =
        switch options.tail {
        case .exact: ("exact", nil)
        case .silence: ("silence", nil)
        case .bar: ("bar", nil)
        case .seconds(let seconds): ("seconds", seconds)
        }
      maximumTail = options.settings.maximumTail
      from = options.start
      to = options.end
      image = options.hasImage ? true : nil
      stems = options.stems?.rawValue
    }
  }

  /// Which bytes come of a song, a SoundFont and settings: a hash of all that decides about it but the
  /// song itself. Equal recipes and equal songs give equal files.
  package static func recipe(
    _ settings: Settings, soundFontHash: String, library: Library = .loaded
  ) -> String {
    ContentHash.of(
      [portativeVersion, library.recipe, soundFontHash, encode(settings, [])]
        .joined(separator: "\n"))
  }
}
