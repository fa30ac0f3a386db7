import CFluidSynth
import RenderCore

/// Offsets of generators that parameters of a unit add, on every channel, to the offsets that messages set.
///
/// FluidSynth has one offset for each channel and generator, which NRPN sets. With offsets by parameters, a synth holds the sum of both.
/// The offsets must be removed before messages set generators, and added afterwards. While all offsets are 0, nothing is done.
///
/// Realtime: yes.
struct GeneratorOffsets: BitwiseCopyable {
  /// One value for each index of ``generator(_:)``, in the unit of the generator (SoundFont 2.04, section 8.1.3).
  typealias Values = InlineArray<9, Float>

  static var count: Int { @_noLocks get { 9 } }

  private(set) var values = Values(repeating: 0)
  /// The offsets that messages have set, by channel. Valid where ``values`` is not 0.
  private var others = InlineArray<16, Values>(repeating: Values(repeating: 0))
  private(set) var isZero = true

  @_noLocks init() {}

  /// The generator of an index: 0..<``count``.
  @_noLocks static func generator(_ index: Int) -> Int32 {
    let generator =
      switch index {
      case 0: GEN_VOLENVATTACK
      case 1: GEN_VOLENVDECAY
      case 2: GEN_VOLENVSUSTAIN
      case 3: GEN_VOLENVRELEASE
      case 4: GEN_FILTERFC
      case 5: GEN_FILTERQ
      case 6: GEN_VIBLFOTOPITCH
      case 7: GEN_VIBLFOFREQ
      default: GEN_VIBLFODELAY
      }
    return Int32(generator.rawValue)
  }

  /// Sets the offset of one generator in all channels of `synth`.
  @_noLocks mutating func set(_ index: Int, to value: Float, in synth: OpaquePointer) {
    let generator = Self.generator(index)
    for channel in 0..<16 {
      if values[index] == 0 {
        others[channel][index] = fluid_synth_get_gen(synth, Int32(channel), generator)
      }
      fluid_synth_set_gen(synth, Int32(channel), generator, others[channel][index] + value)
    }
    values[index] = value
    isZero = true
    for index in 0..<Self.count where values[index] != 0 { isZero = false }
  }

  /// Restores in a channel of `synth` the offsets that messages have set.
  @_noLocks func remove(from synth: OpaquePointer, channel: Int32) {
    if isZero { return }
    for index in 0..<Self.count where values[index] != 0 {
      fluid_synth_set_gen(synth, channel, Self.generator(index), others[Int(channel)][index])
    }
  }

  /// Adds the offsets to those that messages have set in a channel of `synth`.
  @_noLocks mutating func add(to synth: OpaquePointer, channel: Int32) {
    if isZero { return }
    for index in 0..<Self.count where values[index] != 0 {
      let generator = Self.generator(index)
      let other = fluid_synth_get_gen(synth, channel, generator)
      others[Int(channel)][index] = other
      fluid_synth_set_gen(synth, channel, generator, other + values[index])
    }
  }

  /// The channels whose generators a message for a channel may set: all if the channel is disabled, because it may control the
  /// mono group above it.
  @_noLocks static func channels(reachedFrom channel: UInt8, of synth: OpaquePointer) -> Range<
    Int32
  > {
    let channel = Int32(channel)
    return ChannelGroup(of: synth, channel: channel).basic >= 0 ? channel..<channel + 1 : 0..<16
  }

  /// Removes the offsets before a message for a channel sets generators.
  @_noLocks func remove(from synth: OpaquePointer, reachedFrom channel: UInt8) {
    if isZero { return }
    for other in Self.channels(reachedFrom: channel, of: synth) {
      remove(from: synth, channel: other)
    }
  }

  /// Adds the offsets after a message for a channel has set generators.
  @_noLocks mutating func add(to synth: OpaquePointer, reachedFrom channel: UInt8) {
    if isZero { return }
    for other in Self.channels(reachedFrom: channel, of: synth) { add(to: synth, channel: other) }
  }

  /// Replaces the sums in the generators of a channel by the offsets that messages have set.
  @_noLocks func subtract(from generators: inout InlineArray<64, Float>, channel: Int32) {
    for index in 0..<Self.count where values[index] != 0 {
      generators[Int(Self.generator(index))] = others[Int(channel)][index]
    }
  }
}
