import AudioFile
import Glibc

/// What `portative render` was asked for: values that are valid each by itself.
struct RenderOptions: Equatable {
  var inputs: [String] = []
  /// `-` is standard output.
  var output: String?
  var folder: String?
  var container: AudioFormat.Container?
  var isRaw = false
  var bits: AudioFormat.Bits?

  var soundFont: String?
  /// Frames per second.
  var sampleRate = 48000
  /// Decibels above or below the level that FluidSynth plays at by default.
  var gain = 0.0
  var timing = Timing.exact
  var reverb = true
  var chorus = true
  var tail = Tail.exact
  /// Seconds after the last event at which the tail ends at the latest; `nil` was not given.
  var maximumTail: Double?
  /// Seconds of the song.
  var start = 0.0
  var end: Double?

  /// `-` is standard output.
  var report: String?
  /// Songs rendered at the same time; `nil`: as many as there are processors.
  var jobs: Int?
  var isQuiet = false
  var isJSON = false
  var isStrict = false
  var wantsHelp = false

  enum Timing: String, CaseIterable {
    /// Every note on its own frame.
    case exact
    /// Notes on FluidSynth's grid of 64 frames, as one plain synth plays them.
    case stock
  }

  /// When the sound after the last event has ended.
  enum Tail: Equatable {
    /// When every voice has ended, and reverb and chorus are silent.
    case exact
    /// When what is heard has fallen below hearing.
    case silence
    /// At the end of the bar that the last event is in.
    case bar
    case seconds(Double)
  }

  static let defaultMaximumTail = 30.0
}
