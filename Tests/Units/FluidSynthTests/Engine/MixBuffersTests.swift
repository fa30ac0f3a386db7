import CFluidSynth
import CFluidSynthOverrides
import CRender
import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct MixBuffersTests {
  /// Settings with which lanes share mix buffers, and the same without.
  private static func both(
    _ settings: InstrumentSettings = InstrumentSettings()
  ) -> [InstrumentSettings] {
    [true, false].map { shares in
      var settings = settings
      settings.sharesMixBuffers = shares
      return settings
    }
  }

  private func instruments(
    _ font: String, _ settings: InstrumentSettings = InstrumentSettings()
  ) throws -> (shared: ExactInstrument, own: ExactInstrument) {
    let both = try Self.both(settings).map { try ExactInstrument(soundFont: font, settings: $0) }
    #expect(both.map(\.capabilities.sharesMixBuffers) == [true, false])
    return (both[0], both[1])
  }

  @Test func `the synths of lanes have neither mix buffers nor reverb lines of their own`() throws {
    let settings = try makeLibrarySettings(.silent)
    defer { delete_fluid_settings(settings) }
    // Lanes are made and freed in any order, so that new synths get the memory of old ones.
    var synths: [LaneSynth] = []
    var random = Seeded(1)
    for _ in 0..<200 {
      let made = try LaneSynth(settings, mayRunReverb: false)
      #expect(made.mixPointers != nil)
      #expect((made.reverbLines != nil) == ReverbLinesTests.usesMalloc)
      synths.append(made)
      guard synths.count > 8 else { continue }
      synths.remove(at: Int.random(in: 0..<8, using: &random)).delete()
    }
    for synth in synths { synth.delete() }
  }

  @Test(.enabled(if: ReverbLinesTests.usesMalloc))
  func `a synth keeps the lines of a reverb that may run`() throws {
    let settings = try makeLibrarySettings(.silent)
    defer { delete_fluid_settings(settings) }
    let made = try LaneSynth(settings, mayRunReverb: true)
    defer { made.delete() }
    #expect(made.mixPointers != nil && made.reverbLines == nil)
  }

  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb], [44_100, 48_000, 96_000])
  func `lanes that share buffers have the bits of lanes with their own`(
    font: String, rate: Int
  ) throws {
    let performance = busyPerformance(seed: UInt64(rate), seconds: 2, rate: rate)
    let frames = performance.end + 30_000
    let (shared, own) = try instruments(font, InstrumentSettings(rate: rate))
    var random = Seeded(5)
    let sound = try shared.play(performance, frames: frames) {
      Int.random(in: 1..<3000, using: &random)
    }
    #expect(sound.sums[0].contains { $0 != 0 } && sound.sums[2].contains { $0 != 0 })
    #expect(try own.play(performance, frames: frames) == sound)
  }

  @Test(arguments: [
    Effects(reverb: false, chorus: false), Effects(reverb: true, chorus: false),
    Effects(reverb: false, chorus: true),
  ])
  func `the bits are the same without sends`(effects: Effects) throws {
    let performance = busyPerformance(seed: 8, seconds: 1)
    let (shared, own) = try instruments(
      Fonts.timGM6mb, InstrumentSettings(effects: effects))
    let frames = performance.end + 5000
    #expect(
      try shared.play(performance, frames: frames) == own.play(performance, frames: frames))
  }

  @Test func `threads that take each other's lanes have buffers of their own`() throws {
    let performance = busyPerformance(seed: 21, seconds: 4)
    let frames = performance.end + 20_000
    let (shared, own) = try instruments(Fonts.fluidR3, InstrumentSettings(threads: 4))
    let reference = try own.play(performance, frames: frames)
    #expect(try shared.playInParallel(performance, frames: frames) == reference)
  }

  @Test func `lanes of a pool use the buffers of the instrument that plays them`() throws {
    let pool = LanePool(capacity: 64)
    let performance = busyPerformance(seed: 4, seconds: 1)
    let frames = performance.end + 20_000
    var sounds: [RenderedSound] = []
    for settings in Self.both() + Self.both() + Self.both() {
      let instrument = try ExactInstrument(
        soundFont: .open(Fonts.timGM6mb), settings: settings, lanePool: pool)
      sounds.append(try instrument.play(performance, frames: frames))
    }
    #expect(sounds.allSatisfy { $0 == sounds[0] })
  }

  @Test(arguments: [0, 1, 7, 64, 512])
  func `samples are rounded to floats as Swift does, without negative zeroes`(count: Int) {
    var random = Seeded(UInt64(count))
    var samples = (0..<count).map { _ in
      Double.random(in: -1...1, using: &random)
        * Double(sign: .plus, exponent: Int.random(in: -160..<4, using: &random), significand: 1)
    }
    for (i, sample) in [-0.0, 0x1.000001p0, -0x1.000003p0, 0x1p-149, 0x1p-150].enumerated()
    where i < count { samples[i] = sample }
    var output = [Float](repeating: .nan, count: count)
    samples_narrow(samples, &output, count)
    #expect(output.map(\.bitPattern) == samples.map { (Float($0) + 0).bitPattern })
    var sums = [Int64](repeating: 5, count: count)
    var expected = sums
    fixed_point_add_narrowed(samples, &sums, count)
    fixed_point_add(output, &expected, count)
    #expect(sums == expected)
  }

  @Test func `memory is noted for the thread that asks, and only then`() throws {
    #expect(library_allocations_watch())
    let blocks = UnsafeMutablePointer<library_allocation>.allocate(capacity: 1)
    defer { blocks.deallocate() }
    library_allocations_begin(blocks, 1)
    let thread = TestThread { delete_fluid_settings(new_fluid_settings()) }
    thread.join()
    #expect(library_allocations_end() == 0)
    library_allocations_begin(blocks, 1)
    let settings = new_fluid_settings()
    // There was room for one.
    #expect(library_allocations_end() > 1)
    delete_fluid_settings(settings)
    #expect(blocks[0].size > 0)
  }

  @Test func `memory that the library frees is not noted`() {
    #expect(library_allocations_watch())
    let blocks = UnsafeMutablePointer<library_allocation>.allocate(capacity: 4096)
    defer { blocks.deallocate() }
    library_allocations_begin(blocks, 4096)
    let settings = new_fluid_settings()
    delete_fluid_settings(settings)
    #expect(library_allocations_end() == 0)
  }
}
