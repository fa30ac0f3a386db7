import Testing

@testable import OfflineRenderer

/// What comes out, block by block.
private func trim(
  _ trimmer: inout SilenceTrimmer, _ blocks: [[Float]], isRight: Bool = false
) -> [Float] {
  var heard: [Float] = []
  for block in blocks {
    let silence = [Float](repeating: 0, count: block.count)
    let (left, right) = isRight ? (silence, block) : (block, silence)
    trimmer.add(left: left.span, right: right.span) { left, right in
      #expect(left.count == right.count)
      for i in left.indices { heard.append(isRight ? right[i] : left[i]) }
    }
  }
  return heard
}

private let quiet: Float = 3.1e-5
private let loud: Float = -3.2e-5

@Test(arguments: [false, true])
func `gives all up to the last frame that is heard, on either side`(isRight: Bool) {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  let blocks = [[quiet, quiet], [loud, quiet, loud, quiet], [quiet], [quiet, loud], [quiet]]
  #expect(trim(&trimmer, blocks, isRight: isRight) == Array(blocks.joined().dropLast()))
  #expect(!trimmer.isSilent && trimmer.isHeard)
}

@Test func `a second of quiet is the end`() {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  #expect(trim(&trimmer, [[loud]]) == [loud])
  #expect(trim(&trimmer, [[Float](repeating: quiet, count: 9)]) == [])
  #expect(trimmer.isHeard)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(!trimmer.isHeard && !trimmer.isSilent)
  #expect(trim(&trimmer, [[Float](repeating: quiet, count: 89)]) == [])
  #expect(!trimmer.isSilent)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(trimmer.isSilent)
}

@Test func `what was never heard is not heard at its end either`() {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(!trimmer.isHeard)
}
