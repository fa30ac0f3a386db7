import AudioFile
import AudioHash
import FluidSynthInstrument
import OfflineRenderer

extension RenderReport {
  struct Settings: Codable, Equatable {
    var format: String
    var bits: String?
    var sampleRate: Int
    var gain: Double
    /// As `--normalize` takes it; absent where it was not given.
    var normalize: String?
    var timing: String
    var reverb: Bool
    var chorus: Bool
    /// As `--tail` takes it.
    var tail: String
    /// Seconds.
    var maximumTail: Double
    var from: Double
    var to: Double?
    /// Absent where no picture is drawn.
    var image: Bool?
    var stems: String?

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
      normalize = options.normalization?.text
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
      image = options.hasImage ? true : nil
      stems = options.stems?.rawValue
    }
  }

  /// Which bytes come of a song, a SoundFont and settings: a hash of all that decides about it but the
  /// song itself. Equal recipes and equal songs give equal files.
  static func recipe(_ settings: Settings, soundFontHash: String) -> String {
    ContentHash.of(
      [Command.version, FluidSynthLibrary.version, soundFontHash, encode(settings, [])]
        .joined(separator: "\n"))
  }
}
