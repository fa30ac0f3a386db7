package import AudioFile
package import FluidSynthEngine
import Glibc
package import OfflineRenderer
package import SongPicture

/// The options for rendering one song. Each value is valid by itself; ``validate()`` checks the combination.
package struct SongOptions: Equatable, Sendable {
  package var container: AudioFormat.Container?
  package var isRaw = false
  package var bits: AudioFormat.Bits?

  package var soundFont: String?
  /// Frames per second.
  package var sampleRate = 48000
  /// Decibels above or below FluidSynth's default level.
  package var gain = 0.0
  /// The level that the song is normalized to; `nil`: it is not normalized.
  package var normalization: Normalization?
  package var timing = Timing.exact
  /// The greatest number of notes, or of voices in `stock`, that sound at once; `nil`: not given.
  package var polyphony: Int?
  package var reverb = true
  /// The name of one of the ``ReverbEngines``; `nil`: the library's default.
  package var reverbEngine: String?
  package var chorus = true
  /// Whether a SoundFont in the file of a song is not used.
  package var ignoresEmbeddedSoundFont = false
  package var bankStyle = BankStyle.auto
  package var tail = RenderSettings.Tail.silence
  /// The greatest length of the tail, in seconds after the end of the song; `nil`: not given.
  package var maximumTail: Double?
  /// The range to render, in seconds of the song; without `end`, to its end.
  package var start = 0.0
  package var end: Double?
  /// How often the loop of a song is played.
  package var loops = 1
  /// The length of a fade in seconds; `nil`: none.
  package var fade: Double?
  /// The greatest length of a song, in seconds; `nil`: any length.
  package var maximumLength: Double? = 7200
  /// The picture to draw; `nil`: none.
  package var image: ImageOption?
  package var imageStyle = PictureStyle.dark
  /// How notes are grouped into stems; `nil`: no stems are written.
  package var stems: StemGrouping?
  /// The labels to write; `nil`: none.
  package var labels: LabelOption?
  /// Whether labels include messages other than notes.
  package var labelsMessages = false

  package init() {}
}

extension SongOptions {
  /// The settings for the renderer.
  package var settings: RenderSettings {
    var settings = RenderSettings()
    settings.sampleRate = sampleRate
    settings.timing = timing
    settings.gain *= pow(10, gain / 20)
    settings.polyphony = polyphony ?? settings.polyphony
    settings.effects = Effects(reverb: reverb, chorus: chorus)
    settings.reverbEngine = reverbEngine
    settings.usesEmbeddedSoundFont = !ignoresEmbeddedSoundFont
    settings.bankStyle = bankStyle
    settings.tail = tail
    settings.maximumTail = maximumTail ?? settings.maximumTail
    settings.loops = loops
    settings.fade = fade
    settings.start = start
    settings.end = end
    settings.maximumLength = maximumLength
    settings.normalization = normalization
    return settings
  }
}
