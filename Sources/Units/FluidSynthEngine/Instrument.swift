import CFluidSynthOverrides
public import RenderCore

/// An instrument that plays a SoundFont: an ``ExactInstrument`` or a ``StockInstrument``.
///
/// `@unchecked Sendable`: one thread at a time may use the engine to render.
public class Instrument: @unchecked Sendable {
  public let settings: InstrumentSettings
  /// The interface for the render thread of a unit.
  package let engine: Engine
  let soundFont: PlayedSoundFont
  let requests: SupplyRequests
  /// The memory that the engine uses.
  let memory: RenderMemory

  init(
    _ settings: InstrumentSettings, _ soundFont: PlayedSoundFont, _ engine: Engine,
    _ requests: SupplyRequests, _ memory: RenderMemory
  ) {
    self.settings = settings
    self.soundFont = soundFont
    self.requests = requests
    self.engine = engine
    self.memory = memory
  }

  /// Creates an instrument with the timing of the settings.
  ///
  /// - Throws: ``InstrumentError``.
  public static func make(
    soundFont: SoundFont, settings: InstrumentSettings
  ) throws(InstrumentError) -> Instrument {
    switch settings.timing {
    case .exact: try ExactInstrument(soundFont: soundFont, settings: settings)
    case .stock: try StockInstrument(soundFont: soundFont, settings: settings)
    }
  }

  /// The counters so far. Realtime: yes.
  public final var statistics: Statistics { @_noLocks get { engine.statistics } }

  /// The presets that notes requested and that were substituted. Must not be read while the instrument renders.
  public final var substitutions: [PresetSubstitution] { engine.substitutions }

  /// Requests that ``supply()`` loads the presets that an upcoming message needs. Realtime: yes. Threads: any.
  @_noLocks public final func requestPresets(for message: ChannelMessage) {
    if !settings.ownsPresets { requests.presets.pointee.request(for: message) }
  }

  /// Whether ``supply()`` has pending work. Realtime: yes. Threads: any.
  public final var needsSupply: Bool { @_noLocks get { requests.isPending } }

  /// Makes the resources that the render thread has requested: own presets, if the music needs legato
  /// (``InstrumentSettings/ownsPresets``), and, for a large SoundFont, the samples of selected presets. One
  /// call loads a limited amount of samples, so ``needsSupply`` may still be `true` afterwards.
  ///
  /// Rendering continues during the call. The render thread uses the presets on each channel as soon as the
  /// channel is silent.
  ///
  /// Realtime: no. Threads: any but the render thread.
  ///
  /// - Throws: ``InstrumentError``. An error of loading the presets is thrown once, and legato notes remain
  ///   retriggered.
  public func supply() throws(InstrumentError) { try soundFont.supply() }

  /// Loads the samples that the notes of a cycle need, if they are not in memory. For offline rendering,
  /// where no note may wait for its samples. Realtime: no. Must not be called while the instrument renders.
  ///
  /// - Throws: ``InstrumentError``.
  public final func loadSamples(for cycle: MIDICycle) throws(InstrumentError) {
    try soundFont.loadSamples(for: cycle, after: engine)
  }

  /// Renders one cycle. Realtime: yes. Threads: one at a time.
  ///
  /// - Parameters:
  ///   - cycle: 1 or more frames; in `exact` at most ``InstrumentSettings/maximumFrames``.
  ///   - left: Receives `cycle.frames` samples; full scale is ±1, not clipped.
  ///   - right: The same for the right channel.
  @_noLocks public final func render(
    _ cycle: MIDICycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    rendering_begin()
    defer { rendering_end() }
    engine.render(cycle, begin: 0, left: left, right: right)
  }
}
