public import RenderCore
import Synchronization

/// One plain FluidSynth: the bits of a program that calls `fluid_synth_write_float` up to each event's frame, then
/// makes the event's call, and ends a call where a cycle ends.
///
/// The division into calls has to be the same. FluidSynth adds up its voices and effects over as many blocks as a call
/// asks for, so another division may round otherwise: with calls of 64 frames, as `fluidsynth -F` makes, the output of 5
/// in 28 songs was found to differ, by up to 3e-14 of full scale. For the same reason the cutting into cycles may
/// change as much here, which it does not with ``ExactInstrument``.
///
/// A note begins at the next of FluidSynth's blocks, 0 to 63 frames late.
///
/// `@unchecked Sendable`: the synth belongs to whoever renders, one thread at a time.
public final class StockInstrument: @unchecked Sendable {
  let state: UnsafeMutablePointer<StockState>
  /// What a unit's render thread calls.
  package var engine: Engine { Engine(state) }
  public let settings: InstrumentSettings
  private let soundFont: PlayedSoundFont
  private let presetSupply: UnsafeMutablePointer<PresetRequests>
  private var scout: SampleLoader?
  private let samples: SampleTable?
  /// One thread at a time loads presets.
  private let loading = Mutex(())

  /// Loads the SoundFont, if it is not loaded yet.
  ///
  /// - Throws: ``InstrumentError``.
  public init(soundFont: SoundFont, settings: InstrumentSettings) throws(InstrumentError) {
    try settings.validate()
    self.settings = settings
    self.soundFont = try PlayedSoundFont(soundFont, settings)
    let state = try StockState(tables: self.soundFont.tables, settings: settings)
    presetSupply = state.presetSupply
    scout = try SampleLoader(for: self.soundFont.tables)
    samples = self.soundFont.tables.samples
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  /// The same, with the SoundFont at a path.
  public convenience init(
    soundFont path: String, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: .open(path), settings: settings)
  }

  deinit {
    // Before the SoundFont: the synth must not outlive what it plays from.
    scout = nil
    state.pointee.destroy()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Lets ``supply()`` make what a message to come will need. Realtime: yes. Threads: any.
  @_noLocks public func predictLanes(_ message: ChannelMessage) {
    if !settings.ownsPresets { presetSupply.pointee.ask(for: message) }
  }

  /// Whether ``supply()`` has something to load. Realtime: yes. Threads: any.
  public var needsSupply: Bool {
    @_noLocks get {
      if let samples, samples.isWaitedFor { return true }
      return presetSupply.pointee.isWaitedFor
    }
  }

  /// Loads presets of the instrument's own, once its music asks for legato
  /// (``InstrumentSettings/ownsPresets``). The render thread goes on meanwhile, and takes them into use
  /// on each channel when it is silent.
  ///
  /// Realtime: no. Threads: any but the one that renders.
  ///
  /// - Throws: ``InstrumentError``, once: without, legato stays as it is.
  public func supply() throws(InstrumentError) {
    try loading.withLock { _ throws(InstrumentError) in
      try presetSupply.pointee.load(from: soundFont)
    }
    try soundFont.loadRequestedSamples()
  }

  /// Loads the samples that a cycle's notes will play; see ``ExactInstrument/loadSamples(for:)``.
  ///
  /// - Throws: ``InstrumentError``.
  public func loadSamples(for cycle: MIDICycle) throws(InstrumentError) {
    try scout?.follow(cycle, after: state.pointee.synth) {
      (preset, key, velocity) throws(InstrumentError) in
      try soundFont.load(preset, key: key, velocity: velocity)
    }
  }

  /// What it has done so far; only notes and voices are counted.
  public var statistics: Statistics { @_noLocks get { state.pointee.statistics } }

  /// Presets that notes asked for and did not get. Not while it renders.
  public var substitutions: [PresetSubstitution] { state.pointee.substitutions.list }

  /// Renders one cycle. Realtime: yes. Threads: one at a time.
  ///
  /// - Parameters:
  ///   - cycle: 1 or more frames.
  ///   - left: Gets `cycle.frames` samples; full scale is ±1, not clipped.
  ///   - right: The same.
  @_noLocks public func render(
    _ cycle: MIDICycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    state.pointee.render(cycle, left: left, right: right)
  }
}
