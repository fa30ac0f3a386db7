import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SampleEncodingReadingTests {
  @Test(arguments: SampleEncoding.allCases)
  func `a written sample is read back`(encoding: SampleEncoding) {
    let samples: [Float] = [0, 0.5, -0.25, -1, 3 / 32_768]
    for sample in samples {
      withUnsafeTemporaryAllocation(byteCount: 8, alignment: 4) { bytes in
        // An unaligned address.
        let place = bytes.baseAddress! + 1
        var aligned = (UInt64(0))
        withUnsafeMutableBytes(of: &aligned) { aligned in
          withUnsafePointer(to: sample) {
            encoding.write($0, count: 1, to: aligned.baseAddress!, step: encoding.size)
          }
          place.copyMemory(from: aligned.baseAddress!, byteCount: encoding.size)
        }
        #expect(encoding.sample(at: place) == sample)
      }
    }
  }

  @Test func `the fourth byte of a 24-bit sample is ignored`() {
    let bytes: [UInt8] = [0, 0, 0xC0, 0x55]
    #expect(bytes.withUnsafeBytes { SampleEncoding.integer24.sample(at: $0.baseAddress!) } == -0.5)
  }
}
