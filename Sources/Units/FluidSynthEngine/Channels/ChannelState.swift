import CFluidSynth

/// The complete state of a MIDI channel that affects its notes, as FluidSynth keeps it.
///
/// The engine keeps the current state of each channel; each lane keeps the state that its synth was sent.
/// Before a note only the differences are sent: bounded work, regardless of the length of the song so far.
struct ChannelState: BitwiseCopyable {
  /// Changes with the rest. Unique, also among channels; 0 if unknown.
  var revision: UInt64 = 0
  /// 0…127 each. Portamento control is 255 if it is not set, as in FluidSynth.
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// Polyphonic key pressure: 0…127 each.
  var keyPressures = InlineArray<128, UInt8>(repeating: 0)
  /// SoundFont generator offsets, set by NRPN and by RPN fine and coarse tuning.
  var generators = InlineArray<64, Float>(repeating: 0)
  var pressure: UInt8 = 0
  /// 0…16383; 8192 is the center.
  var bend: Int32 = 8192
  var entry = DataEntry()
  /// Whether portamento times are linear, because a channel has received a portamento time LSB.
  var isPortamentoTimeLinear = false
  /// The preset of the next note.
  var preset = PresetNumber.none
  /// Whether the channel plays drums, whose samples FluidSynth chooses by key also where the tuning differs.
  var isDrum = false
  /// The number of the active table of key pitches; 0 is equal temperament. Numbers are never reused.
  var tuning: UInt32 = 0

  @_noLocks init() {}

  /// The number of generators in FluidSynth.
  static var generatorCount: Int { @_noLocks get { Int(GEN_LAST.rawValue) } }

  /// Reads the state of a channel from `synth`. Pressures, tuning, the cents of the bend range and entered
  /// parameters have no getter and do not change.
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
    if BendRange.semitones(entry.bendRange) != semitones { entry.bendRange = semitones << 7 }
    readPreset(from: synth, channel: channel)
  }

  @_noLocks mutating func readPreset(from synth: OpaquePointer, channel: Int32) {
    preset = PresetNumber(playedBy: synth, channel: channel)
    // The banks of drums begin at 128.
    isDrum = PresetNumber(askedOf: synth, channel: channel).bank >= 128
  }

  /// Returns whether a note of `key` that begins now sounds like one that began with the state `other`, as
  /// far as it depends on the channel.
  @_noLocks func sounds(like other: UnsafeMutablePointer<ChannelState>, key: UInt8) -> Bool {
    var differs = keyPressures[Int(key)] ^ other.pointee.keyPressures[Int(key)]
    for number in 0..<120 where Controller.reachesVoices(UInt8(number)) {
      differs |= controllers[number] ^ other.pointee.controllers[number]
    }
    for generator in 0..<Self.generatorCount
    where generators[generator] != other.pointee.generators[generator] { return false }
    return differs == 0 && pressure == other.pointee.pressure && bend == other.pointee.bend
      && entry.bendRange == other.pointee.entry.bendRange && preset == other.pointee.preset
      && isDrum == other.pointee.isDrum && tuning == 0 && other.pointee.tuning == 0
      && isPortamentoTimeLinear == other.pointee.isPortamentoTimeLinear
      && entry.parameters.equals(other.pointee.entry.parameters)
  }

  /// Reads the state after a reset of all controllers, and resets what has no getter.
  @_noLocks mutating func readAfterReset(_ synth: OpaquePointer, channel: Int32) {
    read(from: synth, channel: channel)
    clearPressures()
    entry.parameters.resetControllers()
  }

  /// Reads the state after a system reset, and resets what has no getter.
  @_noLocks mutating func readAfterSystemReset(_ synth: OpaquePointer, channel: Int32) {
    entry = DataEntry()
    read(from: synth, channel: channel)
    clearPressures()
    tuning = 0
  }

  @_noLocks private mutating func clearPressures() {
    pressure = 0
    for key in 0..<128 { keyPressures[key] = 0 }
  }
}
