import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

private let stride = 100

/// Packs up to four channels of 64 samples and unpacks them again.
private func pack(
  _ channels: [[Float]], gains: SIMD4<Float> = .zero
) -> (channels: [[Int64]], expected: [[Int64]], bytes: Int, peak: Float) {
  let memory = RenderMemory()
  defer { memory.release() }
  let source = memory.make(4 * stride, of: Float(0))
  let place = UnsafeMutableRawPointer.allocate(
    byteCount: CompressedBlock.maximumBytes, alignment: 16)
  defer { place.deallocate() }
  // Nonzero memory reveals whether silent channels are written.
  let work = memory.make(5 * 64, of: Float(99))
  let sums = Sums(maximumFrames: 128, in: memory)
  let plain = Sums(maximumFrames: 128, in: memory)
  for (index, samples) in channels.enumerated() {
    for i in 0..<64 { source[index * stride + i] = samples[i] }
  }
  var gains = gains
  let (packing, bytes) = CompressedBlock.pack(
    source, stride: stride, channels: channels.count, gains: &gains, to: place)
  let block = CompressedBlock(place, packing)
  let peak = block.add(to: sums, at: 5, work: work).peak
  for (index, samples) in channels.enumerated() {
    for i in 0..<64 {
      plain.channel(index)[5 + i] += Int64((Double(samples[i]) * 0x1p40).rounded(.toNearestOrEven))
    }
  }
  func values(_ sums: Sums) -> [[Int64]] {
    (0..<channels.count).map { index in (0..<192).map { sums.channel(index)[$0] } }
  }
  return (values(sums), values(plain), bytes, peak)
}

/// Returns a voice's signal in double precision, as in the library.
private func voice(_ seed: UInt64) -> [Double] {
  var random = Seeded(seed)
  return (0..<64).map { _ in Double.random(in: -0.3...0.3, using: &random) }
}

private func mix(_ parts: (voice: [Double], gain: Double)...) -> [Float] {
  (0..<64).map { i in Float(parts.reduce(0) { $0 + $1.voice[i] * $1.gain }) }
}

private let silence = [Float](repeating: 0, count: 64)

@Suite(.timeLimit(.minutes(5))) struct CompressedBlockTests {
  @Test func `one voice takes one channel and two bits for each sample of the others`() {
    let voice = voice(1)
    let block = pack([
      mix((voice, 0.7)), mix((voice, 0.31)), mix((voice, 0.123)), mix((voice, 0.05)),
    ])
    #expect(block.channels == block.expected)
    #expect(block.bytes <= 16 + 256 + 3 * 32)
    #expect(block.peak > 0.1)
  }

  @Test func `a centred voice takes one channel, and silence none`() {
    let middle = mix((voice(2), 0.7))
    let block = pack([middle, middle, silence, silence])
    #expect(block.channels == block.expected)
    #expect(block.bytes == 16 + 256)
    #expect(pack([silence, silence, silence, silence]).bytes == 16)
  }

  @Test func `a stereo pair takes two channels, whatever the pan`() {
    let (a, b) = (voice(3), voice(4))
    let block = pack([
      mix((a, 0.6), (b, 0.1)), mix((a, 0.2), (b, 0.5)), mix((a, 0.1), (b, 0.3)),
      mix((a, 0.03), (b, 0.09)),
    ])
    #expect(block.channels == block.expected)
    #expect(block.bytes <= 16 + 2 * 256 + 256 + 64)
  }

  @Test(arguments: 0..<16)
  func `any four channels are unchanged`(silent: Int) {
    let channels = (0..<4).map { channel in
      silent >> channel & 1 == 1 ? silence : mix((voice(UInt64(10 + channel)), 1))
    }
    let block = pack(channels)
    #expect(block.channels == block.expected)
    let derived = (0..<4).map { channel in
      silent >> channel & 1 == 1 ? silence : mix((voice(5), Double(channel + 1) / 5))
    }
    let smaller = pack(derived)
    #expect(smaller.channels == smaller.expected)
  }

  @Test func `gains of the previous block have no effect`() {
    let voice = voice(6)
    let channels = [mix((voice, 0.41)), mix((voice, 0.2)), mix((voice, 0.3)), silence]
    for gains: SIMD4<Float> in [.zero, .one, [.nan, .infinity, -1, 0], [0.49, 0.73, 0, 0]] {
      let block = pack(channels, gains: gains)
      #expect(block.channels == block.expected && block.bytes <= 16 + 256 + 2 * 32)
    }
  }

  @Test func `the smallest and the largest samples keep their bits`() {
    var random = Seeded(9)
    let left = (0..<64).map { _ in
      Float(sign: .plus, exponent: Int.random(in: -149..<10, using: &random), significand: 1.37)
    }
    let block = pack([left, left.map { -$0 }, left.map { $0 * 0.37 }, left.reversed()])
    #expect(block.channels == block.expected)
  }
}
