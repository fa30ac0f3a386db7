import CFluidSynth

/// What data entry has set on a channel and no function of FluidSynth can read, with the values as they were
/// entered: 14 bits each.
struct EnteredParameters: BitwiseCopyable {
  /// The AWE32's, by number. Those never entered are ``unset``: then the preset's own values hold.
  private(set) var effects = InlineArray<27, UInt16>(repeating: unset)
  /// The filter's resonance that was in force when its cutoff was entered: FluidSynth 2.4 reckons the one with
  /// the other then, and not later.
  private(set) var cutoffResonance = unset
  /// Registered parameter 5: how far the modulation wheel goes, in semitones and 128ths of one.
  private(set) var modulationDepth: UInt16 = 64

  static var unset: UInt16 { @_noLocks get { .max } }
  /// How many numbers there are, as ``enter(_:_:)`` counts: the AWE32's, and modulation depth.
  static var count: UInt8 { @_noLocks get { 28 } }
  static var modulationDepthNumber: UInt8 { @_noLocks get { 27 } }
  private static var pitch: Int { @_noLocks get { 16 } }
  static var cutoffNumber: UInt8 { @_noLocks get { 21 } }
  static var resonanceNumber: UInt8 { @_noLocks get { 22 } }
  private static var cutoff: Int { @_noLocks get { 21 } }
  private static var resonance: Int { @_noLocks get { 22 } }

  @_noLocks init() {}

  /// Whether a number is kept here. The AWE32's pitch is not: it is the channel's pitch bend.
  @_noLocks static func keeps(_ number: UInt8) -> Bool {
    number < count && Int(number) != pitch
  }

  /// The value of a number.
  @_noLocks subscript(number: UInt8) -> UInt16 {
    number == Self.modulationDepthNumber ? modulationDepth : effects[Int(number)]
  }

  /// What must be entered, and in which order, to come to this from nothing.
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

  /// Forgets what the reset of all controllers takes away.
  @_noLocks mutating func resetControllers() {
    for number in 0..<27 { effects[number] = Self.unset }
    cutoffResonance = Self.unset
  }

  @_noLocks func equals(_ other: EnteredParameters) -> Bool {
    var differs = modulationDepth ^ other.modulationDepth
    for number in 0..<27 { differs |= effects[number] ^ other.effects[number] }
    return differs | (cutoffResonance ^ other.cutoffResonance) == 0
  }

  /// Whether something is set here that `other` lacks: it takes a reset of all controllers to unset it.
  @_noLocks func exceeds(_ other: EnteredParameters) -> Bool {
    for number in 0..<27
    where effects[number] != Self.unset && other.effects[number] == Self.unset { return true }
    return cutoffResonance != other.cutoffResonance && other.cutoffResonance == Self.unset
  }

  /// Tells a channel that knows `known` all that differs. It must not exceed this.
  @_noLocks func tell(_ synth: OpaquePointer, channel: Int32, knowing known: EnteredParameters) {
    if modulationDepth != known.modulationDepth {
      Self.enter(Self.modulationDepthNumber, modulationDepth, synth, channel: channel)
    }
    var resonance = known.effects[Self.resonance]
    if effects[Self.cutoff] != known.effects[Self.cutoff]
      || cutoffResonance != known.cutoffResonance
    {
      if cutoffResonance != Self.unset {
        resonance = cutoffResonance
        Self.enter(UInt8(Self.resonance), resonance, synth, channel: channel)
      }
      Self.enter(UInt8(Self.cutoff), effects[Self.cutoff], synth, channel: channel)
    }
    for number in 0..<27 where number != Self.cutoff {
      let present = number == Self.resonance ? resonance : known.effects[number]
      if effects[number] == present { continue }
      Self.enter(UInt8(number), effects[number], synth, channel: channel)
    }
  }

  /// Enters one value by messages, and leaves no parameter selected, so that data entry to come changes nothing
  /// unasked.
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
