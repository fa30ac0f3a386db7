/// Makes modulators with an impossible destination harmless while FluidSynth reads a SoundFont.
///
/// FluidSynth 2.1 to 2.6 takes the lower byte of a destination as the index of a generator of the voice, and adds to that
/// generator without a check. Beyond the last generator, it writes into other memory. Here such a destination becomes a
/// generator without a use, so that the modulator has no effect. All other modulators stay as they are.
struct ModulatorGuard {
  /// The number of generators of a voice, including FluidSynth's own. Source: `GEN_LAST` in fluidsynth/gen.h, which is the
  /// same in these versions.
  static let generators: UInt8 = 63
  /// The index of "unused1" in section 8.1.2 of *SoundFont Technical Specification 2.04*.
  private static let unusedGenerator: UInt8 = 14

  /// The size of a modulator's record, and the place of the destination's lower byte in it (section 7.4).
  private static let recordSize = 10
  private static let destination = 2

  /// The content of the chunk of modulators that was begun last.
  private var modulators = 0..<0

  /// Changes what FluidSynth has read, if necessary.
  ///
  /// FluidSynth reads the header of a chunk in one piece.
  mutating func check(_ bytes: UnsafeMutableRawBufferPointer, readAt position: Int) {
    if bytes.count == 8 {
      let header = [UInt8](bytes)
      if ["pmod", "imod"].contains(where: { header.starts(with: $0.utf8) }) {
        modulators = position + 8..<position + 8 + Int(header.uint32(at: 4))
        return
      }
    }
    for index in modulators.clamped(to: position..<position + bytes.count)
    where (index - modulators.lowerBound) % Self.recordSize == Self.destination {
      if bytes[index - position] >= Self.generators {
        bytes[index - position] = Self.unusedGenerator
      }
    }
  }
}
