/// Corrects the values of a SoundFont that FluidSynth would use without a check as indices into memory, or as the speed of a
/// sample, while it reads the font. All other values stay as they are.
///
/// Sources of the sizes and places of records: *SoundFont Technical Specification 2.04*, sections 7.4, 7.8 and 7.10.
struct SoundFontGuard {
  /// The chunks that matter; a raw value has the characters of the chunk's name.
  private enum Chunk: UInt32 {
    /// "smpl"
    case samples = 0x6C70_6D73
    /// "pmod"
    case presetModulators = 0x646F_6D70
    /// "imod"
    case instrumentModulators = 0x646F_6D69
    /// "shdr"
    case sampleHeaders = 0x7264_6873
  }

  /// The number of generators of a voice, including FluidSynth's own. Source: `GEN_LAST` in fluidsynth/gen.h, which is the
  /// same in FluidSynth 2.1 to 2.6.
  static let generators: UInt8 = 63

  /// The highest sample rate of a sample, in hertz: twice that of the fastest converters.
  static let highestRate: UInt32 = 1_536_000

  private let source: any SoundFontSource
  /// The chunk whose name was read last, but not its size, and the position of the size.
  private var begun: (chunk: Chunk, position: Int)?
  /// The chunk that was begun last.
  private var chunk: Chunk?
  private var content = 0..<0
  /// The number of sample points in the font.
  private var samplePoints = 0

  init(_ source: any SoundFontSource) { self.source = source }

  /// Changes what FluidSynth has read from the source, if necessary.
  mutating func check(_ bytes: UnsafeMutableRawBufferPointer, readAt position: Int) {
    if readHeader(bytes, at: position) { return }
    switch chunk {
    case .presetModulators, .instrumentModulators: correctModulators(bytes, at: position)
    case .sampleHeaders: correctSampleHeader(bytes, at: position)
    case .samples, nil: break
    }
  }

  /// Reads the header of a chunk, which FluidSynth reads in one piece of eight bytes; since 2.6, in two pieces of four.
  ///
  /// - Returns: Whether the bytes belong to the header of a chunk that matters.
  private mutating func readHeader(
    _ bytes: UnsafeMutableRawBufferPointer, at position: Int
  ) -> Bool {
    guard bytes.count == 4 || bytes.count == 8 else { return false }
    let end = position + bytes.count
    if let begun, begun.position == position, bytes.count == 4 {
      begin(begun.chunk, at: end, size: bytes.uint32(at: 0))
      return true
    }
    guard let chunk = Chunk(rawValue: bytes.uint32(at: 0)) else { return false }
    if bytes.count == 8 {
      begin(chunk, at: end, size: bytes.uint32(at: 4))
    } else {
      begun = (chunk, end)
    }
    return true
  }

  private mutating func begin(_ chunk: Chunk, at position: Int, size: UInt32) {
    begun = nil
    self.chunk = chunk
    content = position..<position + Int(size)
    if chunk == .samples { samplePoints = Int(size) / 2 }
  }

  /// Replaces the destination of a modulator by a generator without a use if it is beyond the last generator.
  ///
  /// FluidSynth 2.1 to 2.6 takes the lower byte of a destination as the index of a generator of the voice, and adds to that
  /// generator: beyond the last one, it would write into other memory.
  private func correctModulators(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) {
    let (recordSize, destination) = (10, 2)
    /// "unused1" in section 8.1.2.
    let unusedGenerator: UInt8 = 14
    for index in content.clamped(to: position..<position + bytes.count)
    where (index - content.lowerBound) % recordSize == destination {
      if bytes[index - position] >= Self.generators { bytes[index - position] = unusedGenerator }
    }
  }

  /// Corrects a field of a sample header, which FluidSynth reads by itself.
  private func correctSampleHeader(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) {
    let (recordSize, end, loopEnd, rate) = (46, 24, 32, 36)
    guard bytes.count == 4, content.contains(position) else { return }
    switch (position - content.lowerBound) % recordSize {
    case end: correctEnd(bytes, typeAt: position - end + 44)
    case loopEnd: correctLoopEnd(bytes, startAt: position - 4)
    // A loop would be passed very often in a frame: see `pitch_limit_find`.
    case rate where bytes.uint32(at: 0) > Self.highestRate:
      bytes.storeBytes(of: Self.highestRate.littleEndian, as: UInt32.self)
    default: break
    }
  }

  /// Moves the end of a sample to the end of all samples if it is one sample point beyond.
  ///
  /// FluidSynth 2.1 to 2.6 uses such a sample, and plays the point after all samples, which is other memory. It refuses
  /// samples that end later.
  private func correctEnd(_ bytes: UnsafeMutableRawBufferPointer, typeAt typePosition: Int) {
    guard Int(bytes.uint32(at: 0)) == samplePoints + 1 else { return }
    // Compressed samples count bytes.
    let isCompressed = withUnsafeTemporaryAllocation(byteCount: 2, alignment: 1) { bytes in
      source.read(bytes, at: typePosition) && bytes[0] & 0x10 != 0
    }
    if !isCompressed {
      bytes.storeBytes(of: UInt32(samplePoints).littleEndian, as: UInt32.self)
    }
  }

  private func correctLoopEnd(_ bytes: UnsafeMutableRawBufferPointer, startAt position: Int) {
    let end = Int(bytes.uint32(at: 0))
    var start = 0
    let isRead = withUnsafeMutableBytes(of: &start) {
      source.read(UnsafeMutableRawBufferPointer(rebasing: $0[..<4]), at: position)
    }
    let corrected = Self.endOfLoop(start: Int(littleEndian: start), end: end)
    if isRead, corrected != end {
      bytes.storeBytes(of: UInt32(corrected).littleEndian, as: UInt32.self)
    }
  }

  /// Returns the corrected end of a loop: after the fourth of all sample points, if it would be played.
  ///
  /// FluidSynth 2.1 to 2.6 subtracts up to four from the end, without a sign, and then reads all memory. Real fonts loop the
  /// first two points of a sample for silence, which is the same with four. Loops of less than two points are not played.
  static func endOfLoop(start: Int, end: Int) -> Int {
    let (leastEnd, shortestLoop) = (4, 2)
    return end - start >= shortestLoop ? max(end, leastEnd) : end
  }
}
