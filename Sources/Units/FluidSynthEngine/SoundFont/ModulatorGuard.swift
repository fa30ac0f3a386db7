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

  /// The position of the header of a chunk of modulators whose size has not been read.
  private var header: Int?
  /// The content of the chunk of modulators that was begun last.
  private var modulators = 0..<0

  /// Changes what FluidSynth has read, if necessary.
  ///
  /// FluidSynth reads the header of a chunk in one piece of eight bytes; since 2.6, in two pieces of four.
  mutating func check(_ bytes: UnsafeMutableRawBufferPointer, readAt position: Int) {
    let end = position + bytes.count
    if bytes.count == 4 || bytes.count == 8 {
      let read = [UInt8](bytes)
      if header.map({ $0 + 8 }) != end,
        ["pmod", "imod"].contains(where: { read.starts(with: $0.utf8) })
      {
        header = position
      }
      if header.map({ $0 + 8 }) == end {
        modulators = end..<end + Int(read.uint32(at: bytes.count - 4))
        header = nil
        return
      }
    }
    for index in modulators.clamped(to: position..<end)
    where (index - modulators.lowerBound) % Self.recordSize == Self.destination {
      if bytes[index - position] >= Self.generators {
        bytes[index - position] = Self.unusedGenerator
      }
    }
  }
}
