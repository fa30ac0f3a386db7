import AudioFile
import FluidSynthEngine
import FluidSynthUnits
import Glibc
import OfflineRenderer

/// How one song is rendered, and into what kind of file: values that are valid each by itself.
struct SongOptions: Equatable, Sendable {
  var container: AudioFormat.Container?
  var isRaw = false
  var bits: AudioFormat.Bits?

  var soundFont: String?
  /// Frames per second.
  var sampleRate = 48000
  /// Decibels above or below the level that FluidSynth plays at by default.
  var gain = 0.0
  /// How loud it is made to be; `nil` is as it is rendered.
  var normalization: Normalization?
  var timing = Timing.exact
  var reverb = true
  /// Of ``ReverbEngines``; `nil` is the library's default.
  var reverbEngine: String?
  var chorus = true
  var tail = RenderSettings.Tail.silence
  /// Seconds after the end of the song at which the tail ends at the latest; `nil` was not given.
  var maximumTail: Double?
  /// Seconds of the song.
  var start = 0.0
  var end: Double?
  /// Seconds; `nil` is any length.
  var maximumLength: Double? = 7200
  /// Whether a picture is drawn beside the audio.
  var hasImage = false
  /// What is written apart, too; `nil`: nothing.
  var stems: StemGrouping?
}

extension SongOptions {
  /// What the renderer is told.
  var settings: RenderSettings {
    var settings = RenderSettings()
    settings.sampleRate = sampleRate
    settings.timing = timing
    settings.gain *= pow(10, gain / 20)
    settings.effects = Effects(reverb: reverb, chorus: chorus)
    settings.reverbEngine = reverbEngine
    settings.tail = tail
    settings.maximumTail = maximumTail ?? settings.maximumTail
    settings.start = start
    settings.end = end
    settings.maximumLength = maximumLength
    settings.normalization = normalization
    return settings
  }
}
