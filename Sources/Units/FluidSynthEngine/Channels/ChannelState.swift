import CFluidSynth

/// Everything about a MIDI channel that a note on it can hear, as FluidSynth keeps it.
///
/// The engine keeps one per channel, for the present; each lane keeps one for what its synth was
/// told. A waking lane is told what differs: bounded work, however long the song's past is.
struct ChannelState: BitwiseCopyable {
  /// 0…127 each. Portamento control is 255 when none is pending, as in FluidSynth.
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// Polyphonic key pressure: 0…127 each.
  var keyPressures = InlineArray<128, UInt8>(repeating: 0)
  /// SoundFont generators as offset by NRPN, and by RPN fine and coarse tuning.
  var generators = InlineArray<64, Float>(repeating: 0)
  var pressure: UInt8 = 0
  /// 0…16383, 8192 at rest.
  var bend: Int32 = 8192
  /// As ``BendRange`` counts.
  var bendRange = BendRange.standard
  var parameters = EnteredParameters()
  /// Whether portamento times are linear, because a channel has sent the lower half of one.
  var isPortamentoTimeLinear = false
  /// What a note will play.
  var preset = PresetNumber.none
  /// Which table of key pitches is in force; 0 is equal temperament. Numbers are never used again.
  var tuning: UInt32 = 0

  @_noLocks init() {}

  /// How many generators FluidSynth has.
  static var generatorCount: Int { @_noLocks get { Int(GEN_LAST.rawValue) } }

  /// Reads what `synth` holds for `channel`. Pressures, tuning, the cents of the bend range and entered
  /// parameters have no getter and are left.
  @_noLocks mutating func read(from synth: OpaquePointer, channel: Int32) {
    var value: Int32 = 0
    for number in 0..<128 {
      if fluid_synth_get_cc(synth, channel, Int32(number), &value) == FLUID_OK {
        controllers[number] = UInt8(truncatingIfNeeded: value)
      }
    }
    for generator in 0..<Self.generatorCount {
      generators[generator] = fluid_synth_get_gen(synth, channel, Int32(generator))
    }
    fluid_synth_get_pitch_bend(synth, channel, &bend)
    var semitones: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth, channel, &semitones)
    if BendRange.semitones(bendRange) != semitones { bendRange = semitones << 7 }
    preset = PresetNumber(playedBy: synth, channel: channel)
  }

  /// Whether a note of `key` that begins now sounds as one that began in `other`, as far as the
  /// channel goes.
  @_noLocks func sounds(like other: UnsafeMutablePointer<ChannelState>, key: UInt8) -> Bool {
    var differs = keyPressures[Int(key)] ^ other.pointee.keyPressures[Int(key)]
    for number in 0..<120 {
      guard !Controller.isSilent(UInt8(number)), number != Controller.portamentoControl
      else { continue }
      differs |= controllers[number] ^ other.pointee.controllers[number]
    }
    for generator in 0..<Self.generatorCount
    where generators[generator] != other.pointee.generators[generator] { return false }
    return differs == 0 && pressure == other.pointee.pressure && bend == other.pointee.bend
      && bendRange == other.pointee.bendRange && preset == other.pointee.preset
      && tuning == 0 && other.pointee.tuning == 0
      && isPortamentoTimeLinear == other.pointee.isPortamentoTimeLinear
      && parameters.equals(other.pointee.parameters)
  }

  /// After the reset of all controllers: reads anew, and forgets what has no getter.
  @_noLocks mutating func readAfterReset(_ synth: OpaquePointer, channel: Int32) {
    read(from: synth, channel: channel)
    clearPressures()
    parameters.resetControllers()
  }

  /// The same after a system reset.
  @_noLocks mutating func readAfterSystemReset(_ synth: OpaquePointer, channel: Int32) {
    bendRange = BendRange.standard
    read(from: synth, channel: channel)
    clearPressures()
    parameters = EnteredParameters()
    tuning = 0
  }

  @_noLocks private mutating func clearPressures() {
    pressure = 0
    for key in 0..<128 { keyPressures[key] = 0 }
  }
}

/// A preset's place in the SoundFont.
package struct PresetNumber: Equatable, BitwiseCopyable {
  /// 0…16383; 128 is percussion. −1 where there is no preset, and notes are silent.
  package var bank: Int32
  /// 0…127.
  package var program: Int32

  @_noLocks package init(bank: Int32, program: Int32) {
    self.bank = bank
    self.program = program
  }

  package init(_ selection: PresetSelection) {
    self.init(bank: Int32(selection.bank), program: Int32(selection.program))
  }

  /// The preset that `channel` of `synth` plays, after FluidSynth's substitutions.
  @_noLocks package init(playedBy synth: OpaquePointer, channel: Int32) {
    if let preset = fluid_synth_get_channel_preset(synth, channel) {
      self.init(
        bank: fluid_preset_get_banknum(preset), program: fluid_preset_get_num(preset))
    } else {
      self = .none
    }
  }

  // Spelt out, for a synthesised one could not be annotated.
  @_noLocks package static func == (a: PresetNumber, b: PresetNumber) -> Bool {
    a.bank == b.bank && a.program == b.program
  }

  static var none: PresetNumber { @_noLocks get { PresetNumber(bank: -1, program: 0) } }
  /// Equal to none that a channel can have.
  static var unknown: PresetNumber { @_noLocks get { PresetNumber(bank: -2, program: 0) } }
}
