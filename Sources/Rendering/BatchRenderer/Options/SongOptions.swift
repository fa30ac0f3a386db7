package import AudioFile
package import FluidSynthEngine
import Glibc
package import OfflineRenderer

/// How one song is rendered, and into what kind of file: values that are valid each by itself.
package struct SongOptions: Equatable, Sendable {
  package var container: AudioFormat.Container?
  package var isRaw = false
  package var bits: AudioFormat.Bits?

  package var soundFont: String?
  /// Frames per second.
  package var sampleRate = 48000
  /// Decibels above or below the level that FluidSynth plays at by default.
  package var gain = 0.0
  /// How loud it is made to be; `nil` is as it is rendered.
  package var normalization: Normalization?
  package var timing = Timing.exact
  package var reverb = true
  /// Of ``ReverbEngines``; `nil` is the library's default.
  package var reverbEngine: String?
  package var chorus = true
  package var tail = RenderSettings.Tail.silence
  /// Seconds after the end of the song at which the tail ends at the latest; `nil` was not given.
  package var maximumTail: Double?
  /// Seconds of the song.
  package var start = 0.0
  package var end: Double?
  /// Seconds; `nil` is any length.
  package var maximumLength: Double? = 7200
  /// Whether a picture is drawn beside the audio.
  package var hasImage = false
  /// What is written apart, too; `nil`: nothing.
  package var stems: StemGrouping?

  package init() {}
}

extension SongOptions {
  /// What the renderer is told.
  package var settings: RenderSettings {
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
