/// How an instrument sounds and how much it may use.
public struct InstrumentSettings: Equatable, Sendable {
  /// Frames per second: ``rates``.
  public var rate: Int
  /// The range of FluidSynth.
  public static let rates = 8000...96_000
  public var timing: Timing
  /// Linear; 0.2 is FluidSynth's default. 0…10.
  public var gain: Double
  /// Which run; those of a unit its host can switch on and off.
  public var effects: Effects
  /// Which reverb, of ``ReverbEngines``; `nil` is the library's default.
  public var reverbEngine: String?
  /// The most notes that sound at once in `exact`, the most voices in `stock`: 1…4096.
  public var polyphony: Int
  /// Frames of the longest cycle: 1…65536.
  public var maximumFrames: Int
  /// How many threads render lanes in `exact`: 1…64. The bits do not depend on it.
  public var threads: Int
  /// How many voices `exact` has for notes that find no lane, all notes together: 1…4096. About
  /// 10 kB each.
  public var overflowVoices: Int
  /// Whether it has the SoundFont's presets to itself: about 10 MB and 0.3 s for a large font, its
  /// samples apart. If not, it shares them with all instruments that do. Legato, mono and portamento
  /// passages need presets of one's own; without, each of their notes is struck anew until
  /// `supply()` has loaded some. Everything else has the same bits.
  public var ownsPresets: Bool
  /// The one preset that it plays, on every channel, whatever programs it is sent; `nil`: a whole
  /// synthesizer that follows program changes.
  public var preset: PresetSelection?
  /// Whether effects that are off can be switched on while it renders: lanes then hand out their sends all
  /// the same, for about 0.5 µs per lane and block more.
  package var keepsEffectsReady = false
  /// For tests: `false` makes the engine believe that the library keeps its sends to itself.
  package var presumesSends = true

  /// What lanes hand out.
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

/// One preset of a SoundFont.
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

/// When a note begins.
public enum Timing: String, Sendable, CaseIterable {
  /// On its frame.
  case exact
  /// At FluidSynth's next block of 64 frames: the bits of a plain FluidSynth, for the same division into calls. See
  /// ``StockInstrument``.
  case stock
}

/// Which effects run.
public struct Effects: Hashable, Sendable, BitwiseCopyable {
  public var reverb: Bool
  public var chorus: Bool

  @_noLocks public init(reverb: Bool = true, chorus: Bool = true) {
    self.reverb = reverb
    self.chorus = chorus
  }

  var any: Bool { @_noLocks get { reverb || chorus } }

  static var none: Effects { Effects(reverb: false, chorus: false) }
}
