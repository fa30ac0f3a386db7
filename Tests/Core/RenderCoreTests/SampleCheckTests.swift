import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SampleCheckTests {
  @Test(arguments: [0, 1, 3, 4, 7, 8, 63, 64, 100], [Float.nan, -.nan, .infinity, -.infinity])
  func `every sample that is infinite or NaN becomes 0, wherever it is, and no other changes`(
    place: Int, invalid: Float
  ) {
    for count in [place + 1, 101, 8192] {
      var samples = (0..<count).map { Float($0) - 20 }
      let expected = samples.indices.map { $0 == place ? 0 : samples[$0] }
      samples[place] = invalid
      #expect(check(&samples) == 1)
      #expect(samples == expected)
      #expect(check(&samples) == 0)
    }
  }

  @Test func `the largest and smallest numbers stay as they are`() {
    var samples: [Float] = [
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e30, -1,
    ]
    let before = samples.map(\.bitPattern)
    #expect(check(&samples) == 0)
    #expect(samples.map(\.bitPattern) == before)
  }

  @Test func `signalling and other NaNs are found by their exponent`() {
    var samples = [0x7F80_0001, 0xFF80_0001, 0x7FFF_FFFF, 0xFFC0_0000].map {
      Float(bitPattern: $0)
    }
    #expect(check(&samples) == 4)
    #expect(samples == [0, 0, 0, 0])
  }

  private func check(_ samples: inout [Float]) -> Int {
    samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return 0 }
      return Sample.silenceInvalid(base, count: samples.count)
    }
  }
}
