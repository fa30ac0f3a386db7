import Glibc
import RenderCore
import Testing
import noisefont

@testable import FluidSynthEngine

/// Tests of voices with so high a pitch that FluidSynth would take seconds to minutes for a cycle.
@Suite(.timeLimit(.minutes(5))) struct PitchLimitTests {
  /// The generators of SoundFont 2.04, section 8.1.2, that raise the pitch.
  private enum Generator {
    static let (lfo, vibrato, envelope): (UInt16, UInt16, UInt16) = (5, 6, 7)
    static let (key, coarse, fine, scale): (UInt16, UInt16, UInt16, UInt16) = (46, 51, 52, 56)
  }

  /// A sample with the shortest loop that this font has, which ends at the end of the sample.
  private func font(_ generators: [(UInt16, Int16)], modulator: UInt16? = nil) -> NoiseSoundFont {
    let startOfLoop: UInt16 = 2
    return NoiseSoundFont(
      presets: 1, frames: 64, modulatorDestination: modulator,
      generators: generators.map { (number: $0.0, value: $0.1) } + [(startOfLoop, 32)])
  }

  private func song(_ messages: [(Int, Int)] = [], velocity: Int = 100) -> Performance {
    var performance = Performance()
    for (number, value) in messages { performance.add(0, .controlChange, 0, number, value) }
    performance.add(0, .pitchBend, 0, 127, 127)
    performance.note(10, 0, 127, velocity, length: 3000)
    return performance
  }

  /// Selects a SoundFont parameter and enters a value.
  private func enter(_ generator: UInt16, _ value: Int) -> [(Int, Int)] {
    let data = 8192 + value
    return [(99, 120), (98, Int(generator)), (38, data & 127), (6, data >> 7)]
  }

  /// Expects that a song plays in the time of an absurd, but legal one, and leaves room for a busy machine.
  private func expectBounded(
    _ font: NoiseSoundFont, _ song: Performance, _ timing: Timing,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try FontFolder()
    let soundFont = try folder.whole(font.bytes())
    let begin = threadTime()
    let sound = try soundFont.play(song, timing, frames: 4000)
    #expect(threadTime() - begin < 5, sourceLocation: location)
    let isFinite = (sound.left + sound.right).allSatisfy { $0.isFinite }
    #expect(isFinite, sourceLocation: location)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a zone with the key 25,336 plays in bounded time`(timing: Timing) throws {
    try expectBounded(font([(Generator.key, 25_336)]), song(), timing)
  }

  /// FluidSynth takes the pitch modulo 32 octaves: the values raise it to the last of these.
  @Test(arguments: [Timing.exact, .stock], 0..<5)
  func `generators that raise the pitch have bounded cost`(timing: Timing, index: Int) throws {
    let cases: [[(UInt16, Int16)]] = [
      [(Generator.key, 372)],
      [(Generator.coarse, 250), (Generator.fine, 99)],
      [(Generator.fine, 24_000)],
      [(Generator.scale, 465)],
      // Legal, each alone and together.
      [(Generator.lfo, 12_000), (Generator.vibrato, 12_000), (Generator.envelope, 12_000)],
    ]
    try expectBounded(font(cases[index]), song(), timing)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `modulators and NRPN that raise the pitch have bounded cost`(timing: Timing) throws {
    // Raises the pitch by 242 semitones.
    try expectBounded(font([], modulator: Generator.coarse), song(velocity: 62), timing)
    try expectBounded(font([]), song(enter(Generator.coarse, 245)), timing)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a zone's own key beyond 127 sounds like 127`(timing: Timing) throws {
    let folder = try FontFolder()
    func sound(_ key: Int16) throws -> RenderedSound {
      try folder.whole(font([(Generator.key, key)]).bytes()).play(song(), timing, frames: 4000)
    }
    #expect(try sound(128) == sound(127))
    #expect(try sound(126) != sound(127))
  }

  @Test(arguments: [Timing.exact, .stock])
  func `the highest key is bent by the widest range as FluidSynth does`(timing: Timing) throws {
    let folder = try FontFolder()
    func sound(_ cents: Int16) throws -> RenderedSound {
      let range = [(101, 0), (100, 0), (6, 127)]
      return try folder.whole(font([(Generator.fine, cents)]).bytes())
        .play(song(range), timing, frames: 4000)
    }
    // Below the limit, ten cents are heard; above it, a thousand are not.
    #expect(try sound(-1) != sound(-11))
    #expect(try sound(1000) == sound(2000))
  }

  @Test func `the library is one whose pitch can be limited`() throws {
    #expect(try LibraryProbe.found().limitsPitch)
  }
}

/// The processor time of the calling thread, in seconds.
private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
