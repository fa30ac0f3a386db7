import CFluidSynth

/// What a unit's state keeps of a MIDI channel: everything that a later note on it will hear, apart from
/// what parameters say, from pressures, which are gestures like notes, and from MIDI tuning tables.
package struct SavedChannel: BitwiseCopyable {
  /// 0…127 each; 0 for those that only prepare a later message.
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// As offset by NRPN, and by RPN fine and coarse tuning.
  var generators = InlineArray<64, Float>(repeating: 0)
  /// 0…16383, 8192 at rest.
  var bend: Int32 = 8192
  /// As ``BendRange`` counts.
  var bendRange = BendRange.standard
  var parameters = EnteredParameters()
  /// What it was asked to play.
  var preset = PresetNumber(bank: 0, program: 0)
  var group = ChannelGroup()

  @_noLocks init() {}

  /// Reads what `synth` holds.
  ///
  /// - Parameter known: What it cannot be asked for.
  @_noLocks init(reading synth: OpaquePointer, channel: Int32, _ known: StockChannel) {
    var state = ChannelState()
    state.bendRange = known.bendRange
    state.read(from: synth, channel: channel)
    parameters = known.parameters
    for number in 0..<UInt8(128) where Self.keeps(number) {
      controllers[Int(number)] = state.controllers[Int(number)]
    }
    generators = state.generators
    generators[Int(GEN_PITCH.rawValue)] = 0
    bend = state.bend
    bendRange = state.bendRange
    preset = PresetNumber(askedOf: synth, channel: channel)
    group = ChannelGroup(of: synth, channel: channel)
  }

  /// Tells `synth` what differs. Its channels must all receive.
  ///
  /// - Parameter known: What it cannot be asked for.
  @_noLocks func tell(_ synth: OpaquePointer, channel: Int32, _ known: StockChannel) {
    var present = SavedChannel(reading: synth, channel: channel, known)
    if present.parameters.exceeds(parameters) {
      fluid_synth_cc(synth, channel, Int32(Controller.resetAll), 0)
      var known = present.parameters
      known.resetControllers()
      present = SavedChannel(
        reading: synth, channel: channel,
        StockChannel(bendRange: present.bendRange, parameters: known))
    }
    // No parameter is selected, so that data entry to come changes nothing unasked.
    fluid_synth_cc(synth, channel, 101, 127)
    fluid_synth_cc(synth, channel, 100, 127)
    for number in 0..<UInt8(128) where Self.keeps(number) {
      let value = controllers[Int(number)]
      if value == present.controllers[Int(number)] { continue }
      fluid_synth_cc(synth, channel, Int32(number), Int32(value))
    }
    for generator in 0..<ChannelState.generatorCount where generator != Int(GEN_PITCH.rawValue) {
      let value = generators[generator]
      if value == present.generators[generator] { continue }
      fluid_synth_set_gen(synth, channel, Int32(generator), value)
    }
    parameters.tell(synth, channel: channel, knowing: present.parameters)
    BendRange.tell(bendRange, synth, channel: channel)
    fluid_synth_pitch_bend(synth, channel, bend)
    if preset == present.preset { return }
    fluid_synth_bank_select(synth, channel, preset.bank)
    fluid_synth_program_change(synth, channel, preset.program)
  }

  /// Portamento control is meant for one note.
  @_noLocks private static func keeps(_ number: UInt8) -> Bool {
    !Controller.isSilent(number) && number != Controller.portamentoControl
  }
}

/// The group of channels that a channel belongs to, as omni, mono and poly messages made it.
struct ChannelGroup: BitwiseCopyable {
  /// The group's first channel; −1 when the channel is shut.
  var basic: Int32 = -1
  /// 0…3, as FluidSynth counts: omni or not, poly or mono.
  var mode: Int32 = 0
  /// How many channels: 0…16.
  var count: Int32 = 0

  @_noLocks init() {}

  @_noLocks init(of synth: OpaquePointer, channel: Int32) {
    fluid_synth_get_basic_channel(synth, channel, &basic, &mode, &count)
    if basic < 0 { self = ChannelGroup() }
  }

  @_noLocks static func == (a: Self, b: Self) -> Bool {
    a.basic == b.basic && a.mode == b.mode && a.count == b.count
  }

  var isMono: Bool {
    @_noLocks get { basic >= 0 && mode & Int32(FLUID_CHANNEL_POLY_OFF.rawValue) != 0 }
  }
}
