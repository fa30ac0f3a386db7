import CFluidSynth

/// Where FluidSynth keeps a sample's loop, for which it has a setter and no getter.
///
/// Found by setting one: libraries differ.
struct SampleFields {
  private let loopStart: Int
  private let loopEnd: Int

  /// - Returns: `nil` where the loop is not kept in two 32-bit numbers.
  init?() {
    guard let sample = new_fluid_sample() else { return nil }
    defer { delete_fluid_sample(sample) }
    let (start, end) = (UInt32(0x1BAD_B002), UInt32(0x2CAF_E003))
    guard fluid_sample_set_loop(sample, start, end) == FLUID_OK else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: UnsafeRawPointer(sample), count: Int(fluid_sample_sizeof()))
    func places(of number: UInt32) -> [Int] {
      stride(from: 0, to: bytes.count - 3, by: 4).filter {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == number
      }
    }
    guard places(of: start).count == 1, places(of: end).count == 1 else { return nil }
    (loopStart, loopEnd) = (places(of: start)[0], places(of: end)[0])
  }

  func loop(of sample: UnsafeMutableRawPointer) -> SampleLoop {
    SampleLoop(
      start: Int(sample.load(fromByteOffset: loopStart, as: UInt32.self)),
      end: Int(sample.load(fromByteOffset: loopEnd, as: UInt32.self)))
  }
}
