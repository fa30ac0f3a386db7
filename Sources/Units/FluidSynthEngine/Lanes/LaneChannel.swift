import CFluidSynth
import CFluidSynthOverrides
import RenderCore

/// The channel of a lane's synth on which its notes are played: the state that the synth was sent, and the messages that change
/// it.
///
/// Realtime: yes, except for creation.
struct LaneChannel {
  private let synth: OpaquePointer
  private let proxy: SoundFontProxy
  /// The presets that the channel plays.
  private(set) var tables: PresetTables
  /// The state that the synth was last sent. Its revision is that of the state to which the channel was last updated; 0 if it
  /// has changed since.
  private let sent: UnsafeMutablePointer<ChannelState>
  private var isDrum = false

  init(
    of synth: OpaquePointer, tables: PresetTables, in memory: RenderMemory
  ) throws(InstrumentError) {
    self.synth = synth
    self.tables = tables
    proxy = try SoundFontProxy(of: synth, to: tables)
    sent = memory.make(ChannelState())
    sent.pointee.read(from: synth, channel: 0)
  }

  /// Whether nothing in the synth belongs to the instrument, as tables of tunings do.
  var isPortable: Bool {
    if tables.only != nil { return false }
    return sent.pointee.tuning == 0
  }

  /// Sends the differences between `state` and what the synth was sent. The synth must be silent.
  @_noLocks mutating func update(
    to state: ChannelState, key: UInt8, tunings: Tunings, tables: PresetTables
  ) {
    if self.tables.font != tables.font { retarget(to: tables) }
    if sent.pointee.revision != state.revision {
      if sent.pointee.entry.parameters.exceeds(state.entry.parameters) { resetControllers() }
      sendControllers(state)
      sendOtherState(state, tunings: tunings)
      sent.pointee.revision = state.revision
    }
    let pressure = state.keyPressures[Int(key)]
    if sent.pointee.keyPressures[Int(key)] != pressure {
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(pressure))
      sent.pointee.keyPressures[Int(key)] = pressure
    }
  }

  /// Makes the synth, which must be silent, play other presets.
  @_noLocks mutating func retarget(to tables: PresetTables) {
    self.tables = tables
    proxy.retarget(to: tables)
    setLegatoMode()
    sent.pointee.preset = .unknown
    sent.pointee.revision = 0
  }

  /// Sets the legato and portamento modes, at the start and after a system reset.
  ///
  /// Shared tables do not support legato; see ``PresetTables``. The previous note of the lane may be of
  /// another channel, so the start of a glide is sent with each note.
  @_noLocks func setModes() {
    setLegatoMode()
    fluid_synth_set_portamento_mode(
      synth, 0, Int32(FLUID_CHANNEL_PORTAMENTO_MODE_LEGATO_ONLY.rawValue))
  }

  @_noLocks private func setLegatoMode() {
    fluid_synth_set_legato_mode(synth, 0, tables.legatoMode)
  }

  @_noLocks private func sendControllers(_ state: ChannelState) {
    for number in 0..<120 {
      let value = state.controllers[number]
      guard sent.pointee.controllers[number] != value else { continue }
      sent.pointee.controllers[number] = value
      guard Controller.reachesVoices(UInt8(number)) else { continue }
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
    }
  }

  @_noLocks private mutating func sendOtherState(_ state: ChannelState, tunings: Tunings) {
    for generator in 0..<ChannelState.generatorCount {
      let value = state.generators[generator]
      guard sent.pointee.generators[generator] != value else { continue }
      sent.pointee.generators[generator] = value
      fluid_synth_set_gen(synth, 0, Int32(generator), value)
    }
    select(state.preset)
    if isDrum != state.isDrum {
      isDrum = state.isDrum
      let type = isDrum ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC
      fluid_synth_set_channel_type(synth, 0, Int32(type.rawValue))
    }
    if sent.pointee.bend != state.bend {
      sent.pointee.bend = state.bend
      fluid_synth_pitch_bend(synth, 0, state.bend)
    }
    if sent.pointee.entry.bendRange != state.entry.bendRange {
      sent.pointee.entry.bendRange = state.entry.bendRange
      BendRange.send(state.entry.bendRange, to: synth, channel: 0)
    }
    if !sent.pointee.entry.parameters.equals(state.entry.parameters) {
      state.entry.parameters.send(to: synth, channel: 0, replacing: sent.pointee.entry.parameters)
      sent.pointee.entry.parameters = state.entry.parameters
    }
    if sent.pointee.isPortamentoTimeLinear != state.isPortamentoTimeLinear {
      sent.pointee.isPortamentoTimeLinear = state.isPortamentoTimeLinear
      portamento_time_mode_set(
        UnsafeMutableRawPointer(synth), state.isPortamentoTimeLinear)
    }
    if sent.pointee.pressure != state.pressure {
      sent.pointee.pressure = state.pressure
      fluid_synth_channel_pressure(synth, 0, Int32(state.pressure))
    }
    if sent.pointee.tuning != state.tuning {
      sent.pointee.tuning = state.tuning
      tunings.apply(state.tuning, to: synth, soundingToo: false)
    }
  }

  @_noLocks private func select(_ preset: PresetNumber) {
    if sent.pointee.preset == preset { return }
    sent.pointee.preset = preset
    if preset == .none {
      fluid_synth_unset_program(synth, 0)
    } else {
      fluid_synth_program_select(synth, 0, 1, preset.bank, preset.program)
    }
  }

  /// Applies a message, also to sounding voices; must not be one that ends or continues notes.
  @_noLocks mutating func apply(_ action: LaneCommand.Action, tunings: Tunings) {
    sent.pointee.revision = 0
    switch action {
    case .program(let preset):
      select(preset)
    case .control(Controller.resetAll, _): resetControllers()
    case .control(let number, let value):
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
      if number < 120 { sent.pointee.controllers[Int(number)] = value }
    case .bend(let position):
      sent.pointee.bend = position
      fluid_synth_pitch_bend(synth, 0, position)
    case .bendRange(let range):
      sent.pointee.entry.bendRange = range
      BendRange.send(range, to: synth, channel: 0)
    case .parameter(let number, let value):
      sent.pointee.entry.parameters.enter(number, value)
      EnteredParameters.enter(number, value, synth, channel: 0)
    case .linearPortamentoTime:
      sent.pointee.isPortamentoTimeLinear = true
      portamento_time_mode_set(UnsafeMutableRawPointer(synth), true)
    case .pressure(let value):
      sent.pointee.pressure = value
      fluid_synth_channel_pressure(synth, 0, Int32(value))
    case .keyPressure(let key, let value):
      sent.pointee.keyPressures[Int(key)] = value
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(value))
    case .generator(let generator, let value):
      sent.pointee.generators[Int(generator)] = value
      fluid_synth_set_gen(synth, 0, generator, value)
    case .tuning(let number):
      sent.pointee.tuning = number
      tunings.apply(number, to: synth, soundingToo: true)
    case .legato, .noteOff, .release, .choke, .steal, .cut, .systemReset:
      break
    }
  }

  /// Resets the controllers, as well as the key from which the next note glides.
  @_noLocks func resetControllers() {
    fluid_synth_cc(synth, 0, Int32(Controller.resetAll), 0)
    sent.pointee.readAfterReset(synth, channel: 0)
    sent.pointee.revision = 0
  }

  @_noLocks func liftPedals() {
    lift(Controller.sustain)
    lift(Controller.sostenuto)
  }

  @_noLocks private func lift(_ pedal: UInt8) {
    fluid_synth_cc(synth, 0, Int32(pedal), 0)
    sent.pointee.controllers[Int(pedal)] = 0
    sent.pointee.revision = 0
  }

  /// Reads the state after a system reset of the synth.
  @_noLocks mutating func didResetSystem() {
    isDrum = false
    sent.pointee.readAfterSystemReset(synth, channel: 0)
    sent.pointee.revision = 0
  }
}
