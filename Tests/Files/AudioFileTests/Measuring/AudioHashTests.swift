import AudioFile
import Testing

private func hash(_ samples: [Float], framesPerBlock: Int) -> String {
  var hash = AudioHash()
  for start in stride(from: 0, to: samples.count, by: framesPerBlock * 2) {
    let block = Array(samples[start..<min(start + framesPerBlock * 2, samples.count)])
    hash.add(interleaved: block.span)
  }
  return hash.text
}

private let samples = (0..<20000).map { Float($0) / 4096 - 1 }

/// The expected values are the output of `xxhsum` for the bytes of the samples.
@Test func `is the result of xxhsum for the raw samples`() {
  #expect(hash([], framesPerBlock: 1) == "99aa06d3014798d86001c324468d497f")
  #expect(hash(samples, framesPerBlock: 500) == "b78362bf3dadd3a01e467de58ea442da")
}

@Test func `the hash of audio does not depend on the length of the blocks`() {
  for framesPerBlock in [1, 64, 999, 10000] {
    #expect(hash(samples, framesPerBlock: framesPerBlock) == hash(samples, framesPerBlock: 256))
  }
}

@Test func `changes with one bit`() {
  var other = samples
  other[777] = other[777].nextUp
  #expect(hash(other, framesPerBlock: 64) != hash(samples, framesPerBlock: 64))
}
