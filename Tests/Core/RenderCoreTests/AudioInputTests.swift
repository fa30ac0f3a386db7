import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct AudioInputTests {
  @Test(
    arguments: [.nan, -.nan, .infinity, -.infinity, 1e10, -1e10, .greatestFiniteMagnitude]
      as [Float])
  func `infinite and NaN samples become 0`(sample: Float) {
    #expect(Sample.sanitize(sample) == 0)
  }

  @Test(arguments: [0, -0.0, 1, -1, 1e-30, .leastNonzeroMagnitude, 9.9e9, -9.9e9] as [Float])
  func `finite samples are unchanged`(sample: Float) {
    #expect(Sample.sanitize(sample).bitPattern == sample.bitPattern)
  }

  @Test func `it has the channels that it was made with`() {
    #expect(AudioInput().count == 0)
    let samples: [Float] = [1, 2, 3, 4]
    samples.withUnsafeBufferPointer { samples in
      let channels = [samples.baseAddress!, samples.baseAddress! + 2]
      channels.withUnsafeBufferPointer {
        let input = AudioInput($0.baseAddress!, count: 2)
        #expect(input.count == 2 && input[0][1] == 2 && input[1][0] == 3)
      }
    }
  }
}
