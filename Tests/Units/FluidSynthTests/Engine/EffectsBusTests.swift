import Foundation
import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

/// A block of 64 frames: the levels of its sends, and whether the effects are reset before it.
private struct Block {
  var reverb: Float = 0
  var chorus: Float = 0
  var resets = false
}

/// What a bus does with blocks of noise, or of a tone.
private struct Played {
  /// The output, left and right of each frame.
  var bits: [UInt32] = []
  /// The effects that were active after each block.
  var active: [Effects] = []

  init(
    _ blocks: [Block], atOnce: ClosedRange<Int> = 1...1, rate: Int = 48_000, isTone: Bool = false
  ) throws {
    let memory = RenderMemory()
    defer { memory.release() }
    var bus = try EffectsBus(rate: rate, in: memory)
    var (random, lengths) = (Seeded(7), Seeded(8))
    // Both sends and both outputs, for eight blocks each.
    let channels = memory.make(4 * 512, of: Float(0))
    var done = 0
    while done < blocks.count {
      if blocks[done].resets { bus.reset() }
      let most = min(.random(in: atOnce, using: &lengths), blocks.count - done)
      let count = (1..<most).first { blocks[done + $0].resets } ?? most
      for i in 0..<(64 * count) {
        let block = blocks[done + i / 64]
        for (channel, level) in [block.reverb, block.chorus].enumerated() {
          // Silent blocks take no random numbers, so that the same sound can follow another pause.
          let signal =
            level == 0
            ? 0 : isTone ? sin(Float(64 * done + i) / 20) : .random(in: -1...1, using: &random)
          channels[512 * channel + i] = level * signal
        }
      }
      bus.process(
        blocks: count, reverbSend: channels, chorusSend: channels + 512, left: channels + 1024,
        right: channels + 1536)
      for i in 0..<(64 * count) {
        bits += [channels[1024 + i].bitPattern, channels[1536 + i].bitPattern]
      }
      for _ in 0..<count { active.append(bus.active) }
      done += count
    }
  }

  /// The output from a block on.
  func bits(from block: Int) -> ArraySlice<UInt32> { bits[(block * 128)...] }

  /// Whether the output of some blocks is exactly zero.
  func isZero(_ blocks: Range<Int>) -> Bool {
    bits[(blocks.lowerBound * 128)..<(blocks.upperBound * 128)].allSatisfy { $0 << 1 == 0 }
  }
}

/// The kinds of sound that the tests send.
private let sounds = [
  Block(reverb: 0.5), Block(chorus: 0.4), Block(reverb: 0.3, chorus: 0.5),
]

/// Longer than the reverb of the default size takes to become quiet, and 512 blocks, at 96 kHz.
private let untilSuspended = 9000

@Suite(.timeLimit(.minutes(5))) struct EffectsBusTests {
  @Test(arguments: sounds.indices, [8000, 48_000, 96_000])
  func `what follows a pause does not depend on its length`(sound: Int, rate: Int) throws {
    let sound = [Block](repeating: sounds[sound], count: 20)
    let heard = try [untilSuspended, untilSuspended + 1, untilSuspended + 777].map { pause in
      let silence = [Block](repeating: Block(), count: pause)
      return try Played(sound + silence + sound, rate: rate).bits(from: 20 + pause)
    }
    #expect(heard[0].contains { $0 << 1 != 0 })
    for other in heard[1...] {
      let isEqual = Array(other) == Array(heard[0])
      #expect(isEqual)
    }
  }

  @Test(arguments: sounds.indices, [8000, 48_000, 96_000])
  func `what follows silence at the start does not depend on its length, nor on a reset in it`(
    sound: Int, rate: Int
  ) throws {
    let sound = [Block](repeating: sounds[sound], count: 20)
    let alone = try Played(sound, rate: rate).bits
    for length in [1, 8, 700] {
      var silence = [Block](repeating: Block(), count: length)
      silence[length / 2].resets = true
      let later = Array(try Played(silence + sound, rate: rate).bits(from: length))
      let isEqual = later == alone
      #expect(isEqual, "\(length) blocks")
    }
  }

  @Test(arguments: [2...2, 8...8, 1...8], [8000, 48_000, 96_000])
  func `the output does not depend on the number of blocks per call`(
    atOnce: ClosedRange<Int>, rate: Int
  ) throws {
    var blocks: [Block] = []
    // Both effects are suspended and resumed within a call.
    for index in 0..<4 * untilSuspended {
      let time = index % untilSuspended
      blocks.append(
        Block(
          reverb: time < 300 ? 0.5 : 0, chorus: 201..<506 ~= time ? 0.4 : 0,
          resets: index % 1700 == 1699))
    }
    let one = try Played(blocks, rate: rate)
    let many = try Played(blocks, atOnce: atOnce, rate: rate)
    let isEqual = many.bits == one.bits
    #expect(isEqual)
    #expect(one.active.contains { $0 == .none })
    #expect(one.active.contains { $0 == Effects() })
  }

  @Test(arguments: sounds.indices, [8000, 48_000, 96_000])
  func `an effect is suspended when it is silent, and its output is then zero`(
    sound: Int, rate: Int
  ) throws {
    let (before, during) = (20, 30)
    let blocks =
      [Block](repeating: Block(), count: before) + [Block](repeating: sounds[sound], count: during)
      + [Block](repeating: Block(), count: untilSuspended)
    let played = try Played(blocks, rate: rate)
    let expected = Effects(reverb: sounds[sound].reverb > 0, chorus: sounds[sound].chorus > 0)
    #expect(played.isZero(0..<before))
    for block in blocks.indices where block < before + during + 511 {
      #expect(played.active[block] == (block < before ? .none : expected))
    }
    let suspended = try #require(played.active.dropFirst(before).firstIndex(of: .none))
    #expect(!played.isZero(before..<suspended))
    #expect(played.isZero(suspended + 1..<blocks.count))
    // What is cut off is below −120 dBFS for each effect.
    let last = played.bits[(suspended - 511) * 128..<(suspended + 1) * 128]
    #expect(last.allSatisfy { abs(Float(bitPattern: $0)) < 2e-6 })
  }

  @Test func `a reset clears the tails`() throws {
    let sound = [Block](repeating: Block(reverb: 0.5, chorus: 0.5), count: 200)
    let silence = [Block](repeating: Block(), count: 200)
    var reset = silence
    reset[0].resets = true
    func peak(_ blocks: [Block]) throws -> Float {
      let end = try Played(blocks, isTone: true).bits(from: 240)
      return end.map { abs(Float(bitPattern: $0)) }.max() ?? 0
    }
    let (fading, cleared) = (try peak(sound + silence), try peak(sound + reset))
    #expect(fading > 0.1)
    // The signal ends suddenly, which the voices of the effects make a click of.
    #expect(cleared < fading / 5)
  }
}
