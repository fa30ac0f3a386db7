import CFluidSynth

/// The parameters set by data entry for which FluidSynth has no getter. Values are 14 bits, as entered.
struct EnteredParameters: BitwiseCopyable {
  /// The AWE32 parameters, by number. ``unset`` if never entered: the values of the preset then apply.
  private(set) var effects = InlineArray<27, UInt16>(repeating: unset)
  /// The filter resonance at the time its cutoff was entered: FluidSynth 2.4 combines the two then, and not later.
  private(set) var cutoffResonance = unset
  /// Registered parameter 5: the range of the modulation wheel, in semitones (upper 7 bits) and 128ths of a semitone.
  private(set) var modulationDepth: UInt16 = 64

  static var unset: UInt16 { @_noLocks get { .max } }
  /// The number of parameters, as ``enter(_:_:)`` counts: those of the AWE32, and modulation depth.
  static var count: UInt8 { @_noLocks get { 28 } }
  static var modulationDepthNumber: UInt8 { @_noLocks get { 27 } }
  private static var pitch: Int { @_noLocks get { 16 } }
  private static var cutoff: Int { @_noLocks get { 21 } }
  private static var resonance: Int { @_noLocks get { 22 } }

  @_noLocks init() {}

  /// Whether a parameter is kept here. The AWE32's pitch is not, because it is the pitch bend of the channel.
  @_noLocks static func keeps(_ number: UInt8) -> Bool {
    number < count && Int(number) != pitch
  }

  /// The value of a parameter.
  @_noLocks subscript(number: UInt8) -> UInt16 {
    number == Self.modulationDepthNumber ? modulationDepth : effects[Int(number)]
  }

  /// The entries, in order, that produce these parameters from the initial state.
  var entries: [(number: UInt8, value: UInt16)] {
    var entries: [(number: UInt8, value: UInt16)] = []
    func add(_ number: Int, _ value: UInt16) {
      if value != Self.unset { entries.append((UInt8(number), value)) }
    }
    add(Self.resonance, cutoffResonance)
    add(Self.cutoff, effects[Self.cutoff])
    for number in 0..<27 where number != Self.cutoff {
      if number == Self.resonance, effects[number] == cutoffResonance { continue }
      add(number, effects[number])
    }
    if modulationDepth != EnteredParameters().modulationDepth {
      entries.append((Self.modulationDepthNumber, modulationDepth))
    }
    return entries
  }

  @_noLocks mutating func enter(_ number: UInt8, _ value: UInt16) {
    if number == Self.modulationDepthNumber {
      modulationDepth = value
      return
    }
    effects[Int(number)] = value
    if Int(number) == Self.cutoff { cutoffResonance = effects[Self.resonance] }
  }

  /// Unsets the parameters that a reset of all controllers clears.
  @_noLocks mutating func resetControllers() {
    for number in 0..<27 { effects[number] = Self.unset }
    cutoffResonance = Self.unset
  }

  @_noLocks func equals(_ other: EnteredParameters) -> Bool {
    var differs = modulationDepth ^ other.modulationDepth
    for number in 0..<27 { differs |= effects[number] ^ other.effects[number] }
    return differs | (cutoffResonance ^ other.cutoffResonance) == 0
  }

  /// Whether a parameter is set here but not in `other`. Only a reset of all controllers unsets it.
  @_noLocks func exceeds(_ other: EnteredParameters) -> Bool {
    for number in 0..<27
    where effects[number] != Self.unset && other.effects[number] == Self.unset { return true }
    return cutoffResonance != other.cutoffResonance && other.cutoffResonance == Self.unset
  }

  /// Sends the differences from `current`, the parameters of the channel. `current` must not exceed these parameters.
  @_noLocks func send(
    to synth: OpaquePointer, channel: Int32, replacing current: EnteredParameters
  ) {
    if modulationDepth != current.modulationDepth {
      Self.enter(Self.modulationDepthNumber, modulationDepth, synth, channel: channel)
    }
    var resonance = current.effects[Self.resonance]
    if effects[Self.cutoff] != current.effects[Self.cutoff]
      || cutoffResonance != current.cutoffResonance
    {
      if cutoffResonance != Self.unset {
        resonance = cutoffResonance
        Self.enter(UInt8(Self.resonance), resonance, synth, channel: channel)
      }
      Self.enter(UInt8(Self.cutoff), effects[Self.cutoff], synth, channel: channel)
    }
    for number in 0..<27 where number != Self.cutoff {
      let present = number == Self.resonance ? resonance : current.effects[number]
      if effects[number] == present { continue }
      Self.enter(UInt8(number), effects[number], synth, channel: channel)
    }
  }

  /// Enters a value by messages. No parameter is selected afterwards, so that later data entry has no effect.
  @_noLocks static func enter(
    _ number: UInt8, _ value: UInt16, _ synth: OpaquePointer, channel: Int32
  ) {
    if number == modulationDepthNumber {
      fluid_synth_cc(synth, channel, 101, 0)
      fluid_synth_cc(synth, channel, 100, 5)
    } else {
      fluid_synth_cc(synth, channel, 99, 127)
      fluid_synth_cc(synth, channel, 98, Int32(number))
    }
    fluid_synth_cc(synth, channel, 6, Int32(value >> 7))
    fluid_synth_cc(synth, channel, 38, Int32(value & 127))
    fluid_synth_cc(synth, channel, 101, 127)
    fluid_synth_cc(synth, channel, 100, 127)
  }
}
