public import RenderCore
import Synchronization

/// A plain FluidSynth. Its output is bit-identical to that of a program that calls
/// `fluid_synth_write_float` up to the frame of each event, then makes the call of the event, and ends a
/// call at the end of each cycle.
///
/// The division into calls must be the same. FluidSynth sums its voices and effects over as many blocks as
/// a call requests, so another division may round differently. With calls of 64 frames, as `fluidsynth -F`
/// makes, the output of 5 of 28 songs differed, by up to 3e-14 of full scale. For the same reason the
/// division into cycles may change the output by as much, which it does not with ``ExactInstrument``.
///
/// A note begins at FluidSynth's next block, 0 to 63 frames late.
///
/// `@unchecked Sendable`: one thread at a time may use the synth to render.
public final class StockInstrument: @unchecked Sendable {
  let state: UnsafeMutablePointer<StockState>
  /// The interface for the render thread of a unit.
  package var engine: Engine { Engine(state) }
  public let settings: InstrumentSettings
  private let soundFont: PlayedSoundFont
  private let presetRequests: UnsafeMutablePointer<PresetRequests>
  private var sampleLoader: SampleLoader?
  private let samples: SampleTable?
  /// Held by the thread that loads presets.
  private let loadingLock = Mutex(())

  /// Loads the SoundFont, if it is not loaded yet.
  ///
  /// - Throws: ``InstrumentError``.
  public init(soundFont: SoundFont, settings: InstrumentSettings) throws(InstrumentError) {
    try settings.validate()
    self.settings = settings
    self.soundFont = try PlayedSoundFont(soundFont, settings)
    let state = try StockState(tables: self.soundFont.tables, settings: settings)
    presetRequests = state.presetRequests
    sampleLoader = try SampleLoader(for: self.soundFont.tables)
    samples = self.soundFont.tables.samples
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  /// Creates an instrument for the SoundFont file at `path`.
  public convenience init(
    soundFont path: String, settings: InstrumentSettings
  ) throws(InstrumentError) {
    try self.init(soundFont: .open(path), settings: settings)
  }

  deinit {
    // Before the SoundFont is released, because the synth uses its presets and samples.
    sampleLoader = nil
    state.pointee.destroy()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Requests that ``supply()`` loads the presets that an upcoming message needs. Realtime: yes. Threads:
  /// any.
  @_noLocks public func requestPresets(for message: ChannelMessage) {
    if !settings.ownsPresets { presetRequests.pointee.request(for: message) }
  }

  /// Whether ``supply()`` has pending work. Realtime: yes. Threads: any.
  public var needsSupply: Bool {
    @_noLocks get {
      if let samples, samples.hasPendingRequests { return true }
      return presetRequests.pointee.isPending
    }
  }

  /// Loads own presets, if the music needs legato (``InstrumentSettings/ownsPresets``), and requested
  /// samples. Rendering continues during the call. The render thread uses the presets on each channel as
  /// soon as the channel is silent.
  ///
  /// Realtime: no. Threads: any but the render thread.
  ///
  /// - Throws: ``InstrumentError``. An error of loading the presets is thrown once, and legato notes remain
  ///   retriggered.
  public func supply() throws(InstrumentError) {
    try loadingLock.withLock { _ throws(InstrumentError) in
      try presetRequests.pointee.load(from: soundFont)
    }
    try soundFont.loadRequestedSamples()
  }

  /// Loads the samples that the notes of a cycle need; see ``ExactInstrument/loadSamples(for:)``.
  ///
  /// - Throws: ``InstrumentError``.
  public func loadSamples(for cycle: MIDICycle) throws(InstrumentError) {
    try sampleLoader?.forEachNote(in: cycle, after: state.pointee.synth) {
      (preset, key, velocity) throws(InstrumentError) in
      try soundFont.load(preset, key: key, velocity: velocity)
    }
  }

  /// The counters so far, of notes and voices only. Realtime: yes.
  public var statistics: Statistics { @_noLocks get { state.pointee.statistics } }

  /// The presets that notes requested and that were substituted. Must not be read while the instrument
  /// renders.
  public var substitutions: [PresetSubstitution] { state.pointee.substitutions.list }

  /// Renders one cycle. Realtime: yes. Threads: one at a time.
  ///
  /// - Parameters:
  ///   - cycle: 1 or more frames.
  ///   - left: Receives `cycle.frames` samples; full scale is ±1, not clipped.
  ///   - right: The same for the right channel.
  @_noLocks public func render(
    _ cycle: MIDICycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    state.pointee.render(cycle, left: left, right: right)
  }
}
