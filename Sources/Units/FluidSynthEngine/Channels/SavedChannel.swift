import CFluidSynth
import RenderCore

/// The part of a MIDI channel that the saved state of a unit contains: everything that affects later notes, except what
/// parameters of the unit set, pressures, which are gestures like notes, and MIDI tuning tables.
package struct SavedChannel: BitwiseCopyable {
  /// 0…127 each; 0 for controllers that only prepare a later message.
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// Generator offsets, set by NRPN and by RPN fine and coarse tuning.
  var generators = InlineArray<64, Float>(repeating: 0)
  /// 0…16383; 8192 is the center.
  var bend: Int32 = 8192
  /// In the units of ``BendRange``.
  var bendRange = BendRange.standard
  var parameters = EnteredParameters()
  /// The requested preset, and a bank select after it.
  var selection = SoundModule.Selection()
  var group = ChannelGroup()
  /// The settings by System Exclusive for the part, and, equal in all channels, for all parts.
  var part = ModuleSettings.Part()
  var isRhythm = false
  var common = ModuleSettings.Common()

  @_noLocks init() {}

  /// Reads the state of a channel.
  ///
  /// - Parameters:
  ///   - tracked: The state for which `synth` has no getter.
  ///   - offsets: Those that `synth` contains and that are not part of the state.
  ///   - module: As `tracked`; `nil` if it is not needed.
  @_noLocks init(
    reading synth: OpaquePointer, channel: Int32, _ tracked: DataEntry,
    without offsets: GeneratorOffsets = GeneratorOffsets(), _ module: SoundModule?
  ) {
    var state = ChannelState()
    state.entry = tracked
    state.read(from: synth, channel: channel)
    parameters = tracked.parameters
    for number in 0..<UInt8(128) where Self.keeps(number) {
      controllers[Int(number)] = state.controllers[Int(number)]
    }
    generators = state.generators
    generators[Int(GEN_PITCH.rawValue)] = 0
    offsets.subtract(from: &generators, channel: channel)
    bend = state.bend
    bendRange = state.entry.bendRange
    group = ChannelGroup(of: synth, channel: channel)
    guard let module else { return }
    let number = UInt8(truncatingIfNeeded: channel)
    selection = module.selection(of: number)
    part = module.settings[number]
    isRhythm = module.settings.isRhythm(number)
    common = module.settings.common
  }

  /// Sends the differences to `synth`, all of whose channels must be enabled. The preset and what System Exclusive has
  /// set are not included.
  ///
  /// - Parameter tracked: The state for which `synth` has no getter.
  @_noLocks func apply(to synth: OpaquePointer, channel: Int32, _ tracked: DataEntry) {
    var present = SavedChannel(reading: synth, channel: channel, tracked, nil)
    if present.parameters.exceeds(parameters) {
      fluid_synth_cc(synth, channel, Int32(Controller.resetAll), 0)
      var cleared = present.parameters
      cleared.resetControllers()
      present = SavedChannel(
        reading: synth, channel: channel,
        DataEntry(bendRange: present.bendRange, parameters: cleared), nil)
    }
    // Deselect any parameter, so that later data entry has no effect.
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
    parameters.send(to: synth, channel: channel, replacing: present.parameters)
    BendRange.send(bendRange, to: synth, channel: channel)
    fluid_synth_pitch_bend(synth, channel, bend)
  }

  /// Portamento control is not kept because it applies to one note only.
  @_noLocks private static func keeps(_ number: UInt8) -> Bool {
    !Controller.isSilent(number) && number != Controller.portamentoControl
  }
}

/// The group that a channel belongs to, as omni, mono and poly messages define it.
struct ChannelGroup: BitwiseCopyable {
  /// The first channel of the group; −1 if the channel is disabled.
  var basic: Int32 = -1
  /// 0…3, as in FluidSynth: omni on or off, poly or mono.
  var mode: Int32 = 0
  /// The number of channels: 0…16.
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

/// The reason why a state cannot be restored.
public enum StateError: Error, Equatable, CustomStringConvertible {
  /// The data is not a state of a FluidSynth instrument.
  case unknown
  case unknownVersion(Int)
  case broken(String)

  public var description: String {
    switch self {
    case .unknown:
      "this is not a state of a FluidSynth instrument: give one that such an instrument saved"
    case .unknownVersion(let version):
      "the state has version \(version), but this instrument supports versions 1 to "
        + "\(SavedChannels.version): use the version of Portative that saved it, or a later one"
    case .broken(let finding):
      "the state is damaged (\(finding)): give an unmodified one"
    }
  }
}
