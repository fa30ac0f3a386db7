import AudioFile
import TestSupport
import Testing

/// Returns the integer samples of a mix and its stems, the mix first.
private func quantize(
  _ mix: [Float], _ stems: [[Float]], bits: AudioFormat.Bits = .b16, block: Int = 1000,
  seed: UInt64 = 1
) throws -> (integers: [[Int]], clipped: Int) {
  var quantizer = try #require(JointQuantizer(try AudioFormat(.wav, bits: bits), seed: seed))
  var integers = [[Int]](repeating: [], count: 1 + stems.count)
  var target = [Int32](repeating: 0, count: block)
  for start in stride(from: 0, to: mix.count, by: block) {
    let range = start..<min(start + block, mix.count)
    quantizer.roundMix(mix.span.extracting(range), to: &target)
    integers[0] += target[..<range.count].map(Int.init)
    for (index, stem) in stems.enumerated() {
      if index == stems.count - 1 {
        quantizer.roundLast(range.count, to: &target)
      } else {
        quantizer.roundStem(stem.span.extracting(range), to: &target)
      }
      integers[1 + index] += target[..<range.count].map(Int.init)
    }
  }
  return (integers, quantizer.clippedSamples)
}

/// Returns stems of noise and their mix, summed in float.
private func music(_ stems: Int, level: Float, count: Int = 20_000) -> (
  mix: [Float], stems: [[Float]]
) {
  var random = Seeded(UInt64(stems))
  let stems = (0..<stems).map { _ in
    (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
  }
  return ((0..<count).map { i in stems.reduce(0) { $0 + $1[i] } }, stems)
}

private func sum(_ stems: ArraySlice<[Int]>) -> [Int] {
  guard let first = stems.first else { return [] }
  return first.indices.map { i in stems.reduce(0) { $0 + $1[i] } }
}

@Test(arguments: [(AudioFormat.Bits.b16, 1), (.b16, 2), (.b16, 17), (.b24, 3), (.b24, 128)])
func `the integers of the stems add up to those of the mix`(bits: AudioFormat.Bits, stems: Int)
  throws
{
  let (mix, parts) = music(stems, level: 0.9 / Float(stems))
  let (integers, clipped) = try quantize(mix, parts, bits: bits)
  #expect(clipped == 0)
  #expect(sum(integers[1...]) == integers[0])
}

@Test func `a stem's error has no mean and constant power, whatever the number of stems`() throws {
  for stems in [2, 17, 100] {
    let (mix, parts) = music(stems, level: 0.9 / Float(stems), count: 50_000)
    let (integers, _) = try quantize(mix, parts)
    for index in [0, stems / 2, stems - 1] {
      let errors = zip(integers[1 + index], parts[index]).map { Double($0) - Double($1) * 32768 }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      #expect(abs(mean) < 0.016)
      // The first stem is rounded once, all others twice.
      let expected = index == 0 && stems > 1 ? 0.25 : 0.5
      #expect(abs(variance - expected) < 0.025, "stem \(index) of \(stems)")
    }
  }
}

@Test func `the mix is rounded as without stems, in blocks of any length`() throws {
  let folder = try TemporaryFolder()
  let (mix, parts) = music(3, level: 0.4)
  let pairs = try quantize(mix, parts, seed: 7).integers
  for block in [1, 64, 20_000] {
    #expect(try quantize(mix, parts, block: block, seed: 7).integers == pairs)
  }
  var writer = try AudioFileWriter(
    to: .file(folder("mix.raw")), format: AudioFormat(.raw), sampleRate: 48000, seed: 7)
  try writer.write(interleaved: mix.span)
  _ = try writer.finish()
  let bytes = fileBytes(folder("mix.raw"))
  let alone = stride(from: 0, to: bytes.count, by: 2).map {
    Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
  }
  #expect(alone == pairs[0])
}

@Test func `a silent stem stays silent, except the last`() throws {
  let (_, parts) = music(2, level: 0.4)
  let silence = [Float](repeating: 0, count: parts[0].count)
  let mix = zip(parts[0], parts[1]).map { $0 + $1 }
  let (integers, _) = try quantize(mix, [silence, parts[0], silence, parts[1]])
  #expect(integers[1].allSatisfy { $0 == 0 } && integers[3].allSatisfy { $0 == 0 })
  #expect(sum(integers[1...]) == integers[0])
  let whole = try quantize(silence, [silence, silence], bits: .b24).integers
  #expect(whole.joined().allSatisfy { $0 == 0 })
}

@Test func `a mix beyond full scale is the clipped sum of its unclipped stems`() throws {
  let (mix, parts) = music(4, level: 0.5)
  let (integers, clipped) = try quantize(mix, parts, bits: .b24)
  let sums = sum(integers[1...])
  #expect(sums.contains { $0 > 8_388_607 } && clipped == 0)
  #expect(sums.map { max(-8_388_608, min(8_388_607, $0)) } == integers[0])
  for (stem, part) in zip(integers[1...], parts) {
    #expect(zip(stem, part).allSatisfy { abs(Double($0) - Double($1) * 8_388_608) < 4 })
  }
}

@Test func `a stem beyond full scale is clipped and counted, and the others are exact`() throws {
  let (_, parts) = music(3, level: 0.3)
  let loud = parts[0].map { $0 * 4 }
  let mix = parts[0].indices.map { loud[$0] + parts[1][$0] + parts[2][$0] }
  let (integers, clipped) = try quantize(mix, [parts[1], loud, parts[2]], bits: .b24)
  #expect(clipped == loud.filter { abs($0) >= 1 }.count && clipped > 0)
  #expect(integers[2].max() == 8_388_607 && integers[2].min() == -8_388_608)
  for (stem, part) in [(integers[1], parts[1]), (integers[3], parts[2])] {
    #expect(zip(stem, part).allSatisfy { abs(Double($0) - Double($1) * 8_388_608) < 4 })
  }
}

@Test func `formats without integers have no joint rounding`() throws {
  #expect(JointQuantizer(try AudioFormat(.wav, bits: .b32f), seed: 0) == nil)
  #expect(JointQuantizer(try AudioFormat(.opus), seed: 0) == nil)
  #expect(JointQuantizer(try AudioFormat(.flac), seed: 0) != nil)
}

@Test(arguments: [AudioFormat.Container.wav, .flac, .aiff, .raw])
func `integer input is unchanged`(container: AudioFormat.Container) throws {
  for bits in [AudioFormat.Bits.b16, .b24] {
    let folder = try TemporaryFolder()
    let scale = bits == .b16 ? 32768 : 8_388_608
    let integers = (0..<30_000).map { Int32($0 * 7919 % scale) * ($0 % 2 == 0 ? 1 : -1) }
    let samples = integers.map { Float($0) / Float(scale) }
    let format = try AudioFormat(container, bits: bits)
    var writer = try AudioFileWriter(
      to: .file(folder("a")), format: format, sampleRate: 48000)
    for start in stride(from: 0, to: 30_000, by: 5000) {
      try writer.write(
        interleaved: samples.span.extracting(start..<start + 5000),
        as: integers.span.extracting(start..<start + 5000))
    }
    try writer.complete()
    #expect(folder.names != ["a"])
    let summary = try writer.finish()
    #expect(folder.names == ["a"] && summary.frames == 15_000)
    guard container != .raw else { continue }
    let decoded = try #require(DecodedFile(folder("a")))
    #expect(decoded.samples == samples)
  }
}
