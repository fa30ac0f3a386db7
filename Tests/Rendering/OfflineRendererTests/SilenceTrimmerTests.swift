import Testing

@testable import OfflineRenderer

/// Feeds blocks to a trimmer and returns its output.
private func trim(
  _ trimmer: inout SilenceTrimmer, _ blocks: [[Float]], isRight: Bool = false
) -> [Float] {
  var heard: [Float] = []
  for block in blocks {
    let silence = [Float](repeating: 0, count: block.count)
    // A third and a fourth channel, which the trimmer ignores.
    let channels = isRight ? [silence, block, block, block] : [block, silence, block, block]
    let whole = channels.flatMap { $0 }
    whole.withUnsafeBufferPointer { whole in
      trimmer.add(
        (0..<4).map {
          UnsafeBufferPointer(rebasing: whole[($0 * block.count)...].prefix(block.count))
        }
      ) { given in
        #expect(given.count == 4 && given[2].elementsEqual(given[isRight ? 1 : 0]))
        heard += given[3]
      }
    }
  }
  return heard
}

private let quiet: Float = 3.1e-5
private let loud: Float = -3.2e-5

@Test(arguments: [false, true])
func `passes everything up to the last audible frame of either channel`(isRight: Bool) {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  let blocks = [[quiet, quiet], [loud, quiet, loud, quiet], [quiet], [quiet, loud], [quiet]]
  #expect(trim(&trimmer, blocks, isRight: isRight) == Array(blocks.joined().dropLast()))
  #expect(!trimmer.isSilent && trimmer.isAudible)
}

@Test func `a second of silence is the end`() {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  #expect(trim(&trimmer, [[loud]]) == [loud])
  #expect(trim(&trimmer, [[Float](repeating: quiet, count: 9)]) == [])
  #expect(trimmer.isAudible)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(!trimmer.isAudible && !trimmer.isSilent)
  #expect(trim(&trimmer, [[Float](repeating: quiet, count: 89)]) == [])
  #expect(!trimmer.isSilent)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(trimmer.isSilent)
}

@Test func `audio that is never audible is empty`() {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  #expect(trim(&trimmer, [[quiet]]) == [])
  #expect(!trimmer.isAudible)
}

@Test func `audio in other channels alone counts as silence`() {
  var trimmer = SilenceTrimmer(sampleRate: 100)
  let (silence, noise) = ([Float](repeating: 0, count: 100), [Float](repeating: 1, count: 100))
  silence.withUnsafeBufferPointer { silence in
    noise.withUnsafeBufferPointer { noise in
      trimmer.add([silence, silence, noise, noise]) { _ in Issue.record("was heard") }
    }
  }
  #expect(trimmer.isSilent)
}
