import FluidSynthEngine
import RenderCore
import TestSupport
import Testing

/// A way to play a performance on units with and without separate channels.
struct MultiSynthPlayer {
  var timing = Timing.exact
  var rate = 48_000
  var effects = Effects()
  var presumesSends = true
  var isPrepared = true
  var font = Fonts.timGM6mb

  static let channels = MultiSynthSource.outputChannels

  /// - Parameter channels: 34, or 2 for the stereo unit.
  func unit(channels: Int) throws -> any RenderUnit {
    var settings = InstrumentSettings(timing: timing, effects: effects)
    settings.presumesSends = presumesSends
    let format = Format(sampleRate: rate, outputChannels: channels, maximumFrames: 4096)
    let font = try SoundFont.open(font)
    return channels == 2
      ? try InstrumentSource(soundFont: font, settings: settings).makeUnit(format)
      : try MultiSynthSource(soundFont: font, settings: settings).makeUnit(format)
  }

  /// Returns the 34 channels.
  func apart(
    _ performance: UnitPerformance, frames: Int, cycles: () -> Int = { 1024 }
  ) throws -> [[Float]] {
    try unit(channels: Self.channels).play(
      performance, frames: frames, channels: Self.channels, isPrepared: isPrepared, cycles: cycles)
  }

  /// Returns the channels of the stereo unit.
  func stereo(
    _ performance: UnitPerformance, frames: Int, cycles: () -> Int = { 1024 }
  ) throws -> [[Float]] {
    try unit(channels: 2).play(
      performance, frames: frames, isPrepared: isPrepared, cycles: cycles)
  }
}

/// What adding the 34 channels one after the other in 32 bits may differ by.
let roundingLimit = 33.0

/// Returns the greatest difference of the sum of the channels and the stereo output, as a multiple of the rounding error
/// of 32-bit addition: of 2⁻²⁴ of the sum of the channels' magnitudes, or of −96 dBFS where that is more.
///
/// The absolute limit is for reverb and chorus, which a sum in 32 bits may round while they are louder than their sum.
func rounding(_ apart: [[Float]], _ stereo: [[Float]]) -> Double {
  var greatest = 0.0
  for side in 0..<2 {
    let count = stereo[side].count
    var (sums, magnitudes) = ([Double](repeating: 0, count: count), [Double]())
    magnitudes = sums
    for channel in Swift.stride(from: side, to: apart.count, by: 2) {
      for (frame, sample) in apart[channel].enumerated() where sample != 0 {
        sums[frame] += Double(sample)
        magnitudes[frame] += abs(Double(sample))
      }
    }
    for (frame, sample) in stereo[side].enumerated() {
      let (sum, magnitude) = (sums[frame], magnitudes[frame])
      let difference = abs(sum - Double(sample))
      // A NaN is greater than any limit.
      if difference.isNaN { return .infinity }
      greatest = max(greatest, difference / (max(magnitude, 0x1p-16) * 0x1p-24))
    }
  }
  return greatest
}

private func isSounding(_ samples: [Float]) -> Bool { samples.contains { abs($0) > 1e-4 } }

/// Returns a busy performance with a note on every MIDI channel, in the middle of the stereo image.
private func fullPerformance(seed: UInt64, seconds: Double, rate: Int = 48_000) -> Performance {
  var performance = busyPerformance(seed: seed, seconds: seconds, rate: rate)
  for channel in 0..<16 {
    performance.add(200, .controlChange, channel, 10, 64)
    performance.add(200, .programChange, channel, 2 * channel)
    performance.note(300 + 77 * channel, channel, 48 + channel, 100, length: 9000)
  }
  return performance
}

/// The guarantees of ``MultiSynthSource``.
@Suite(.timeLimit(.minutes(5))) struct MultiSynthLawTests {
  @Test(
    arguments: [
      (.exact, 48_000, 1024), (.exact, 44_100, 64), (.exact, 44_100, 0), (.stock, 48_000, 1024),
      (.stock, 44_100, 64), (.stock, 44_100, 441),
    ] as [(Timing, Int, Int)])
  func `superposition: in a song, the 34 channels add up to the stereo output`(
    timing: Timing, rate: Int, length: Int
  ) throws {
    let player = MultiSynthPlayer(timing: timing, rate: rate, font: Fonts.bundled)
    let song = UnitPerformance(performance: try .demo(seconds: 20..<27, rate: rate))
    let frames = 8 * rate
    var random = Seeded(2)
    func cycles() -> Int { length > 0 ? length : Int.random(in: 1..<3000, using: &random) }
    let apart = try player.apart(song, frames: frames, cycles: cycles)
    let stereo = try player.stereo(song, frames: frames, cycles: { length > 0 ? length : 1024 })
    #expect(apart[..<32].filter(isSounding).count >= 16)
    #expect(isSounding(apart[32]) && isSounding(apart[33]))
    #expect(rounding(apart, stereo) <= roundingLimit)
  }

  @Test(arguments: Timing.allCases, [48_000, 44_100])
  func `superposition: the channels add up with sixteen MIDI channels and all controllers`(
    timing: Timing, rate: Int
  ) throws {
    let player = MultiSynthPlayer(timing: timing, rate: rate)
    var busy = UnitPerformance(performance: fullPerformance(seed: 11, seconds: 2, rate: rate))
    busy.change(rate / 2, "gain", to: -9, ramp: 5000)
    busy.change(rate, "reverb.level", to: 0.7)
    busy.change(rate + 1, "tuning", to: 33)
    let frames = 3 * rate
    let apart = try player.apart(busy, frames: frames)
    #expect(apart.filter(isSounding).count == 34)
    let error = rounding(apart, try player.stereo(busy, frames: frames))
    #expect(error <= roundingLimit)
  }

  @Test(arguments: [48_000, 44_100])
  func `part: a MIDI channel's output has the bits of its part played alone without effects`(
    rate: Int
  ) throws {
    var player = MultiSynthPlayer(rate: rate)
    let performance = fullPerformance(seed: 12, seconds: 2, rate: rate)
    let frames = 3 * rate
    let apart = try player.apart(UnitPerformance(performance: performance), frames: frames)
    player.effects = .off
    for channel in 0..<16 {
      let part = UnitPerformance(performance: performance.only(channel: UInt8(channel)))
      let alone = try player.stereo(part, frames: frames)
      #expect(Array(apart[2 * channel...2 * channel + 1]) == alone, "channel \(channel)")
      #expect(isSounding(alone[0]) || isSounding(alone[1]), "channel \(channel)")
    }
  }

  @Test func `effects: stereo is stereo without effects plus the last pair, bit for bit`()
    throws
  {
    let performance = UnitPerformance(performance: fullPerformance(seed: 13, seconds: 1))
    var player = MultiSynthPlayer()
    let apart = try player.apart(performance, frames: 72_000)
    let stereo = try player.stereo(performance, frames: 72_000)
    player.effects = .off
    let dry = try player.stereo(performance, frames: 72_000)
    for side in 0..<2 {
      #expect(isSounding(apart[32 + side]))
      #expect(zip(dry[side], apart[32 + side]).map { $0 + $1 } == stereo[side])
    }
  }

  @Test(arguments: Timing.allCases)
  func `effects: they are only in the last pair`(timing: Timing) throws {
    var performance = UnitPerformance(performance: fullPerformance(seed: 14, seconds: 1))
    let player = MultiSynthPlayer(timing: timing)
    let wet = try player.apart(performance, frames: 72_000)
    performance.change(0, "reverb.on", to: 0)
    performance.change(0, "chorus.on", to: 0)
    let dry = try player.apart(performance, frames: 72_000)
    #expect(isSounding(wet[32]) && isSounding(wet[33]))
    #expect(wet[..<32] == dry[..<32])
    #expect(dry[32...].joined().allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 64, 100, 0])
  func `cycle: the 34 channels do not depend on the division into cycles`(length: Int) throws {
    var performance = UnitPerformance(performance: fullPerformance(seed: 15, seconds: 0.5))
    performance.change(10_001, "gain", to: -9, ramp: 5000)
    performance.change(12_345, "chorus.depth", to: 3, ramp: 900)
    let reference = try MultiSynthPlayer().apart(performance, frames: 30_000) { 4096 }
    var random = Seeded(4)
    let played = try MultiSynthPlayer().apart(performance, frames: 30_000) {
      length > 0 ? length : Int.random(in: 1..<3000, using: &random)
    }
    #expect(played == reference)
    #expect(played.filter(isSounding).count > 16)
  }

  @Test func `cycle: in stock timing, the channels depend on the division only by rounding`() throws
  {
    let performance = UnitPerformance(performance: fullPerformance(seed: 15, seconds: 0.5))
    let player = MultiSynthPlayer(timing: .stock)
    let reference = try player.apart(performance, frames: 30_000) { 4096 }
    for length in [1, 64, 100] {
      let played = try player.apart(performance, frames: 30_000) { length }
      let difference = zip(played.joined(), reference.joined()).map { abs($0 - $1) }.max()
      #expect(try #require(difference) <= 1e-12, "\(length)")
    }
  }

  @Test func `part: in stock timing, a MIDI channel alone has the bits of the stereo unit`()
    throws
  {
    var player = MultiSynthPlayer(timing: .stock)
    let performance = fullPerformance(seed: 16, seconds: 1)
    for channel in [0, 9, 15] {
      let part = UnitPerformance(performance: performance.only(channel: UInt8(channel)))
      player.effects = Effects()
      let apart = try player.apart(part, frames: 60_000)
      player.effects = .off
      let alone = try player.stereo(part, frames: 60_000)
      #expect(isSounding(alone[0]) || isSounding(alone[1]))
      for other in 0..<16 {
        let pair = Array(apart[2 * other...2 * other + 1])
        if other == channel {
          #expect(pair == alone)
        } else {
          #expect(pair.joined().allSatisfy { $0 == 0 })
        }
      }
    }
  }

  @Test func `notes without a lane are in the outputs of their MIDI channels`() throws {
    var player = MultiSynthPlayer()
    player.isPrepared = false
    var performance = Performance()
    for key in 36..<96 { performance.note(key * 100, key % 4, key, 100, length: 20_000) }
    let played = UnitPerformance(performance: performance)
    let unit = try player.unit(channels: 34)
    let apart = unit.play(played, frames: 60_000, channels: 34, isPrepared: false)
    #expect(try #require(unit.status.first { $0.name == "late notes" }).value > 20)
    #expect(rounding(apart, try player.stereo(played, frames: 60_000)) <= roundingLimit)
    #expect(apart[..<8].allSatisfy(isSounding) && isSounding(apart[32]))
    #expect(apart[8..<32].joined().allSatisfy { $0 == 0 })
    // Without effects, the last pair is silent.
    player.effects = .off
    let dry = try player.apart(played, frames: 60_000)
    #expect(dry[..<32] == apart[..<32])
    #expect(dry[32...].joined().allSatisfy { $0 == 0 })
  }

  @Test(arguments: [true, false])
  func `with a library that mixes its sends, the channels add up to the stereo output`(
    isPrepared: Bool
  ) throws {
    var player = MultiSynthPlayer()
    player.presumesSends = false
    player.isPrepared = isPrepared
    var performance = fullPerformance(seed: 17, seconds: 0.3)
    for key in 36..<96 { performance.note(key * 50, key % 4, key, 100, length: 5000) }
    let played = UnitPerformance(performance: performance)
    let apart = try player.apart(played, frames: 20_000)
    #expect(rounding(apart, try player.stereo(played, frames: 20_000)) <= roundingLimit)
    #expect(isSounding(apart[32]) == !isPrepared)
  }
}
