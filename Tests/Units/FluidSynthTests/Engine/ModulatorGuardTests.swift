import CFluidSynth
import RenderCore
import Testing
import noisefont

@testable import FluidSynthEngine

/// Tests of SoundFonts whose modulators have impossible destinations.
@Suite(.timeLimit(.minutes(5))) struct ModulatorGuardTests {
  /// Two modulators and the terminal one, in a chunk, with bytes before and after.
  private let bytes: [UInt8] = {
    var bytes: [UInt8] = [0xFF, 0xFF] + Array("imod".utf8) + [30, 0, 0, 0]
    bytes += [255, 255, 63, 255, 255, 255, 255, 255, 255, 255]
    bytes += [255, 255, 62, 0x80, 255, 255, 255, 255, 255, 255]
    bytes += [0, 0, 200, 0, 0, 0, 0, 0, 0, 0]
    return bytes + [255, 255, 255, 255]
  }()

  @Test func `the number of generators is that of the library's header`() {
    #expect(Int(ModulatorGuard.generators) == Int(GEN_LAST.rawValue))
  }

  @Test(arguments: 1...34, [4, 8])
  func `only the destinations beyond the last generator change, in reads of any size`(
    size: Int, headerSize: Int
  ) {
    var found = bytes
    var modulators = ModulatorGuard()
    found.withUnsafeMutableBytes { found in
      modulators.check(.init(rebasing: found[..<2]), readAt: 0)
      for start in stride(from: 2, to: 10, by: headerSize) {
        modulators.check(.init(rebasing: found[start..<start + headerSize]), readAt: start)
      }
      for start in stride(from: 10, to: found.count, by: size) {
        let end = min(start + size, found.count)
        modulators.check(.init(rebasing: found[start..<end]), readAt: start)
      }
    }
    var expected = bytes
    expected[12] = 14
    expected[32] = 14
    #expect(found == expected)
  }

  @Test(arguments: [true, false], [Timing.exact, .stock])
  func `a modulator of a generator that does not exist does nothing`(
    isWhole: Bool, timing: Timing
  ) throws {
    let folder = try FontFolder()
    var performance = Performance()
    for key in [40, 80] { performance.note(key, 0, key, 100, length: 700) }
    func sound(_ destination: UInt16?) throws -> RenderedSound {
      let bytes = NoiseSoundFont(presets: 1, modulatorDestination: destination).bytes()
      let font = isWhole ? try folder.whole(bytes) : try folder.piecewise(bytes)
      return try font.play(performance, timing, frames: 2000)
    }
    let plain = try sound(nil)
    // The attenuation.
    #expect(try sound(48) != plain)
    for destination in UInt16(63)...255 {
      let isSame = try sound(destination) == plain
      #expect(isSame, "\(destination)")
    }
  }
}
