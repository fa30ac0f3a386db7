import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SampleEncodingTests {
  @Test(arguments: [
    (SampleEncoding.integer16, [0x00, 0x40], [0xFF, 0x7F], [0x00, 0x80]),
    (.packed24, [0x00, 0x00, 0x40], [0xFF, 0xFF, 0x7F], [0x00, 0x00, 0x80]),
    (.integer24, [0x00, 0x00, 0x40, 0x00], [0xFF, 0xFF, 0x7F, 0x00], [0x00, 0x00, 0x80, 0xFF]),
    (.integer32, [0, 0, 0, 0x40], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80]),
    (.float32, [0, 0, 0, 0x3F], [0, 0, 0x80, 0x3F], [0, 0, 0x80, 0xBF]),
  ])
  func `half, positive and negative full scale have the expected bytes`(
    encoding: SampleEncoding, half: [UInt8], most: [UInt8], least: [UInt8]
  ) {
    #expect(bytes([0.5], encoding) == half)
    #expect(bytes([1], encoding) == most)
    #expect(bytes([-1], encoding) == least)
  }

  @Test(arguments: SampleEncoding.allCases)
  func `samples are limited to full scale, and NaN is silence`(
    encoding: SampleEncoding
  ) {
    for loud: Float in [1.5, 1e30, .infinity] {
      #expect(bytes([loud], encoding) == bytes([1], encoding))
      #expect(bytes([-loud], encoding) == bytes([-1], encoding))
    }
    let silence = [UInt8](repeating: 0, count: encoding.size)
    #expect(bytes([.nan], encoding) == silence)
    #expect(bytes([0], encoding) == silence)
    // Less than half a unit of the finest encoding.
    #expect(encoding == .float32 || bytes([-1e-10], encoding) == silence)
  }

  @Test(arguments: [
    (0.49, 0), (0.5, 0), (0.51, 1), (1.5, 2), (-0.49, 0), (-0.51, -1), (-1.5, -2),
    (32_766.6, 32_767),
  ])
  func `16 bits are rounded to the nearest, ties to even`(level: Float, rounded: Int16) {
    let bytes = bytes([level / 32_768], .integer16)
    #expect(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8) == rounded)
  }

  @Test func `every 16-bit level is unchanged by all encodings`() {
    let levels = (-32_768...32_767).map { Float($0) / 32_768 }
    for encoding in SampleEncoding.allCases where encoding != .float32 {
      let bytes = bytes(levels, encoding)
      let found = stride(from: 0, to: bytes.count, by: encoding.size).map { sample in
        // The upper two bytes of 16, 24 and 32 bits.
        let top = encoding == .integer24 ? sample + 1 : sample + encoding.size - 2
        return Int(Int16(bitPattern: UInt16(bytes[top]) | UInt16(bytes[top + 1]) << 8))
      }
      #expect(found == Array(-32_768...32_767), "\(encoding)")
    }
  }

  @Test func `samples of other channels are not changed`() {
    var target = [UInt8](repeating: 0xAA, count: 12)
    target.withUnsafeMutableBytes { target in
      SampleEncoding.packed24.write([0, 0], count: 2, to: target.baseAddress! + 3, step: 6)
    }
    let frame: [UInt8] = [0xAA, 0xAA, 0xAA, 0, 0, 0]
    #expect(target == frame + frame)
  }

  private func bytes(_ samples: [Float], _ encoding: SampleEncoding) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: samples.count * encoding.size)
    bytes.withUnsafeMutableBytes { bytes in
      encoding.write(samples, count: samples.count, to: bytes.baseAddress!, step: encoding.size)
    }
    return bytes
  }
}
