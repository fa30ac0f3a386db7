import CFluidSynth

/// The offsets of the loop points in FluidSynth's sample structure, which has a setter for them but no getter.
///
/// They are found at run time by setting a loop, because they differ between FluidSynth versions.
struct SampleFields {
  private let loopStart: Int
  private let loopEnd: Int

  /// - Returns: `nil` if the loop points are not stored as two 32-bit numbers.
  init?() {
    guard let sample = new_fluid_sample() else { return nil }
    defer { delete_fluid_sample(sample) }
    let (start, end) = (UInt32(0x1BAD_B002), UInt32(0x2CAF_E003))
    guard fluid_sample_set_loop(sample, start, end) == FLUID_OK else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: UnsafeRawPointer(sample), count: Int(fluid_sample_sizeof()))
    func offsets(of number: UInt32) -> [Int] {
      stride(from: 0, to: bytes.count - 3, by: 4).filter {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == number
      }
    }
    guard offsets(of: start).count == 1, offsets(of: end).count == 1 else { return nil }
    (loopStart, loopEnd) = (offsets(of: start)[0], offsets(of: end)[0])
  }

  /// Returns the loop of a `fluid_sample_t`.
  func loop(of sample: UnsafeMutableRawPointer) -> SampleLoop {
    SampleLoop(
      start: Int(sample.load(fromByteOffset: loopStart, as: UInt32.self)),
      end: Int(sample.load(fromByteOffset: loopEnd, as: UInt32.self)))
  }
}
