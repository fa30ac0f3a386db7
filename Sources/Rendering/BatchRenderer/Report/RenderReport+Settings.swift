import AudioFile
import ContentHash
import FluidSynthEngine
import LocalSystem
import OfflineRenderer
import SongPicture

extension RenderReport {
  struct Settings: Codable, Equatable {
    var format: String
    /// The sample format: pcm16, pcm24, float32, or coded for a lossy codec.
    var encoding: String
    /// Frames per second.
    var sampleRate: Int
    /// Decibels.
    var gain: Double
    /// The level that `--normalize` requests; at most one of the two is present.
    var normalizeDBTP: Double?
    var normalizeLUFS: Double?
    var timing: String
    /// Absent for the default.
    var polyphony: Int?
    var reverb: Bool
    /// Absent for the library's default.
    var reverbEngine: String?
    var chorus: Bool
    /// `false` if a SoundFont in the file of a song is not used; otherwise absent.
    var embedded: Bool?
    /// Absent for `auto`.
    var bankStyle: String?
    /// The value of `--tail`, or `seconds`.
    var tail: String
    var tailSeconds: Double?
    /// Seconds, like the next two.
    var maximumTail: Double
    var from: Double
    var to: Double?
    /// The number of loops, if it is not 1, and the length of a fade in seconds.
    var loops: Int?
    var fade: Double?
    /// Absent if no picture is drawn.
    var image: Bool?
    /// Absent for PNG.
    var imageFormat: String?
    /// Absent for dark.
    var imageStyle: String?
    var stems: String?
    /// The format of the labels, and whether they include messages other than notes. Absent without labels.
    var labels: String?
    var labelMessages: Bool?

    init(_ options: SongOptions, format: AudioFormat) {
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
      polyphony = options.polyphony
      reverb = options.reverb
      reverbEngine = options.reverbEngine
      chorus = options.chorus
      loops = options.loops == 1 ? nil : options.loops
      fade = options.fade
      embedded = options.ignoresEmbeddedSoundFont ? false : nil
      bankStyle = options.bankStyle == .auto ? nil : options.bankStyle.rawValue
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
      if let picture = options.image {
        image = true
        if picture.format != .png { imageFormat = picture.format.rawValue }
        if options.imageStyle != .dark { imageStyle = options.imageStyle.rawValue }
      }
      stems = options.stems?.rawValue
      labels = options.labels?.format.rawValue
      labelMessages = options.labelsMessages ? true : nil
    }
  }

  /// Returns a hash of everything except the song that determines the bytes of the output files: the settings, the
  /// SoundFont, the library and the version of Portative. Equal recipes and equal songs yield equal files.
  static func recipe(
    _ settings: Settings, soundFontHash: String, library: Library = .loaded
  ) -> String {
    ContentHash.of(
      [portativeVersion, library.recipe, soundFontHash, encode(settings, [])]
        .joined(separator: "\n"))
  }
}
