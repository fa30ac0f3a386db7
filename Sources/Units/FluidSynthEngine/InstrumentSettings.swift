/// The sound and the resource limits of an instrument.
public struct InstrumentSettings: Equatable, Sendable {
  /// Frames per second, in ``rates``.
  public var rate: Int
  /// The sample rates that FluidSynth supports.
  public static let rates = 8000...96_000
  public var timing: Timing
  /// The linear gain: 0…10. FluidSynth's default is 0.2.
  public var gain: Double
  /// The greatest gain that users can set, in decibels. FluidSynth's gain is at most 10, which is 33.98 dB above its
  /// default.
  package static let maximumGain = 33.9
  /// The effects that run. In a unit whose host can switch effects, those that run at first.
  public var effects: Effects
  /// The name of the reverb engine, one of ``ReverbEngines``; `nil` is the library's default.
  public var reverbEngine: String?
  /// The maximum number of notes that sound at once in `exact`, and of voices in `stock`: 1…4096.
  public var polyphony: Int
  /// The maximum number of frames per cycle: 1…65536.
  public var maximumFrames: Int
  /// The number of threads that render lanes in `exact`: 1…64. The output does not depend on it.
  public var threads: Int
  /// The number of voices in `exact` that all notes without a lane share: 1…4096. A voice takes about 10 kB.
  public var overflowVoices: Int
  /// The number of lanes that are ready at first, 0.3 MB each. The default is a chord of both hands, and its echo under the
  /// pedal. More are made as they are played.
  package var firstLanes = 16
  /// Whether the instrument has its own copy of the SoundFont's presets: about 10 MB and 0.3 s for a large
  /// font, without the samples. If not, it shares presets with all instruments that do.
  ///
  /// Legato, mono and portamento passages need own presets. With shared presets each note of such a passage
  /// is retriggered until `supply()` has loaded own presets. All other output is bit-identical.
  public var ownsPresets: Bool
  /// The one preset that the instrument plays on every channel, ignoring program changes; `nil` is a
  /// complete synthesizer that responds to program changes.
  public var preset: PresetSelection?
  /// How bank selects and System Exclusive messages choose presets.
  public var bankStyle = BankStyle.auto
  /// Whether effects that are off can be switched on while the instrument renders. Lanes then output their
  /// sends in any case, which costs about 0.5 µs per lane and block.
  package var keepsEffectsReady = false
  /// Whether the instrument outputs the MIDI channels and the effects apart, in ``ChannelOutputs``, instead of their sum.
  package var separatesChannels = false
  /// For tests: if `false`, the engine assumes that the library does not output its effect sends.
  package var presumesSends = true
  /// For tests: whether lanes may share mix buffers; see ``MixBuffers``. The sound is the same.
  package var sharesMixBuffers = true

  /// Whether the instrument starts ``threads`` − 1 threads, which help its render thread. If not, callers may render
  /// each of ``threads`` lane groups on a thread of their own; see ``ExactInstrument/renderGroup(_:frames:)``.
  package var startsHelpers = false

  /// The number of lane groups.
  var laneGroups: Int { startsHelpers ? 1 : threads }

  /// The effect sends that lanes output.
  var sends: Effects { keepsEffectsReady ? Effects() : effects }

  public init(
    rate: Int = 48_000, timing: Timing = .exact, gain: Double = 0.2, effects: Effects = Effects(),
    reverbEngine: String? = nil,
    polyphony: Int = 256, maximumFrames: Int = 8192, threads: Int = 1, overflowVoices: Int = 256,
    ownsPresets: Bool = true
  ) {
    self.rate = rate
    self.timing = timing
    self.gain = gain
    self.effects = effects
    self.reverbEngine = reverbEngine
    self.polyphony = polyphony
    self.maximumFrames = maximumFrames
    self.threads = threads
    self.overflowVoices = overflowVoices
    self.ownsPresets = ownsPresets
  }
}

/// A preset of a SoundFont.
public struct PresetSelection: Equatable, Sendable {
  /// 0…16383; 128 is percussion.
  public var bank: Int
  /// 0…127.
  public var program: Int

  public init(bank: Int, program: Int) {
    self.bank = bank
    self.program = program
  }
}

/// The onset timing of notes.
public enum Timing: String, Sendable, CaseIterable {
  /// A note begins on its frame.
  case exact
  /// A note begins at FluidSynth's next block of 64 frames. The output is bit-identical to that of a plain
  /// FluidSynth, for the same division into calls. See ``StockInstrument``.
  case stock
}

/// The effects that run.
public struct Effects: Hashable, Sendable, BitwiseCopyable {
  public var reverb: Bool
  public var chorus: Bool

  @_noLocks public init(reverb: Bool = true, chorus: Bool = true) {
    self.reverb = reverb
    self.chorus = chorus
  }

  package var any: Bool { @_noLocks get { reverb || chorus } }

  static var none: Effects { Effects(reverb: false, chorus: false) }
}
