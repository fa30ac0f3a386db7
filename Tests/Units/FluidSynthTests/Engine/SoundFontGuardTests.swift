import CFluidSynth
import RenderCore
import Testing
import noisefont

@testable import FluidSynthEngine

/// Tests of SoundFonts with values that FluidSynth uses as indices without a check.
@Suite(.timeLimit(.minutes(5))) struct SoundFontGuardTests {
  @Test func `the number of generators is that of the library's header`() {
    #expect(Int(SoundFontGuard.generators) == Int(GEN_LAST.rawValue))
  }

  @Test(arguments: 1...34, [4, 8])
  func `only the destinations beyond the last generator change, in reads of any size`(
    size: Int, headerSize: Int
  ) {
    // Two modulators and the terminal one, in a chunk, with bytes before and after.
    var bytes: [UInt8] = [0xFF, 0xFF] + Array("imod".utf8) + [30, 0, 0, 0]
    bytes += [255, 255, 63, 255, 255, 255, 255, 255, 255, 255]
    bytes += [255, 255, 62, 0x80, 255, 255, 255, 255, 255, 255]
    bytes += [0, 0, 200, 0, 0, 0, 0, 0, 0, 0]
    bytes += [255, 255, 255, 255]
    var expected = bytes
    expected[12] = 14
    expected[32] = 14
    let source = FontBytes(bytes)
    source.read([2] + [Int](repeating: headerSize, count: 8 / headerSize), thenPiecesOf: size)
    #expect(source.bytesRead == expected)
  }

  @Test(arguments: [4, 8], [(0, 101, 100), (0, 100, 100), (0, 102, 102), (0x10, 101, 101)])
  func `only the end of a sample that is not compressed and ends one point late changes`(
    headerSize: Int, sample: (type: UInt8, end: UInt8, expected: UInt8)
  ) {
    func bytes(end: UInt8) -> [UInt8] {
      // Two sample headers and the terminal one. Other fields have the value of the end that changes.
      func header(end: UInt8) -> [UInt8] {
        let name = [UInt8](repeating: 65, count: 20)
        let ends: [UInt8] = [101, end, 101, 101].flatMap { [$0, 0, 0, 0] }
        return name + ends + [68, 172, 0, 0, 60, 0, 0, 0, 1 | sample.type, 0]
      }
      var chunks = Array("smpl".utf8)
      chunks += [200, 0, 0, 0]
      chunks += Array("shdr".utf8)
      chunks += [138, 0, 0, 0]
      chunks += header(end: 50) + header(end: end)
      return chunks + [UInt8](repeating: 0, count: 46)
    }
    let source = FontBytes(bytes(end: sample.end))
    let header = [Int](repeating: headerSize, count: 16 / headerSize)
    let fields = [20, 4, 4, 4, 4, 4, 1, 1, 2, 2]
    source.read(header + fields + fields, thenPiecesOf: 46)
    #expect(source.bytesRead == bytes(end: sample.expected))
  }

  @Test(arguments: [4, 8], [0, 1, 2, 3, 4, UInt32.max])
  func `a loop ends after the first four points, unless it is too short to be played`(
    headerSize: Int, start: UInt32
  ) {
    func bytes(end: UInt32) -> [UInt8] {
      func field(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      let fields = [UInt8](repeating: 1, count: 28) + field(start) + field(end)
      return Array("shdr".utf8) + [46, 0, 0, 0] + fields + [68, 172, 0, 0, 60, 0, 0, 0, 1, 0]
    }
    let header = [Int](repeating: headerSize, count: 8 / headerSize)
    for end in [0, 1, 2, 3, 4, 5, UInt32.max] {
      let source = FontBytes(bytes(end: end))
      source.read(header + [20, 4, 4, 4, 4, 4, 1, 1, 2, 2], thenPiecesOf: 1)
      let moves = (start == 0 && (end == 2 || end == 3)) || (start == 1 && end == 3)
      #expect(source.bytesRead == bytes(end: moves ? 4 : end))
    }
  }

  @Test(arguments: [4, 8], [1, 44_100, 1_536_000, 1_536_001, UInt32.max])
  func `a sample rate is limited`(headerSize: Int, rate: UInt32) {
    func bytes(rate: UInt32) -> [UInt8] {
      let fields = [UInt8](repeating: 255, count: 36)
      let value = (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) }
      return Array("shdr".utf8) + [46, 0, 0, 0] + fields + value + [60, 0, 0, 0, 1, 0]
    }
    let source = FontBytes(bytes(rate: rate))
    let header = [Int](repeating: headerSize, count: 8 / headerSize)
    source.read(header + [20, 4, 4, 4, 4, 4, 1, 1, 2, 2], thenPiecesOf: 1)
    #expect(source.bytesRead == bytes(rate: min(rate, 1_536_000)))
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

  @Test(arguments: [true, false], [Timing.exact, .stock])
  func `a loop of the first two of all sample points is one of the first four`(
    isWhole: Bool, timing: Timing
  ) throws {
    let folder = try FontFolder()
    var performance = Performance()
    performance.note(60, 0, 64, 100, length: 9000)
    func sound(end: UInt8) throws -> RenderedSound {
      var bytes = NoiseSoundFont(presets: 1).bytes()
      let headers = try #require(bytes.firstRange(of: Array("shdr".utf8))).upperBound + 4
      // The second sample loops; it then begins where the first one does.
      bytes.replaceSubrange(headers + 46 + 20..<headers + 46 + 24, with: [0, 0, 0, 0])
      bytes.replaceSubrange(
        headers + 46 + 28..<headers + 46 + 36, with: [0, 0, 0, 0, end, 0, 0, 0])
      let font = isWhole ? try folder.whole(bytes) : try folder.piecewise(bytes)
      return try font.play(performance, timing, frames: 12_000)
    }
    #expect(try sound(end: 2) == sound(end: 4))
    #expect(try sound(end: 4) != sound(end: 8))
  }

  @Test(arguments: [true, false], [Timing.exact, .stock])
  func `a sample that ends one point after all samples sounds like one that ends with them`(
    isWhole: Bool, timing: Timing
  ) throws {
    let folder = try FontFolder()
    var performance = Performance()
    performance.note(60, 0, 60, 100, length: 9000)
    func sound(late: Int) throws -> RenderedSound {
      var bytes = NoiseSoundFont(presets: 1).bytes()
      let samples = try #require(bytes.firstRange(of: Array("smpl".utf8))).upperBound
      let headers = try #require(bytes.firstRange(of: Array("shdr".utf8))).upperBound
      let end = bytes[samples..<samples + 4].reversed().reduce(0) { $0 << 8 | Int($1) } / 2 + late
      for byte in 0..<4 {
        bytes[headers + 4 + 24 + byte] = UInt8(truncatingIfNeeded: end >> (8 * byte))
      }
      let font = isWhole ? try folder.whole(bytes) : try folder.piecewise(bytes)
      return try font.play(performance, timing, frames: 12_000)
    }
    #expect(try sound(late: 1) == sound(late: 0))
  }
}

/// A font in memory that is read as FluidSynth does, with the guard.
private final class FontBytes: SoundFontSource {
  private let bytes: [UInt8]
  private(set) var bytesRead: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }

  func isReachable(_ position: Int) -> Bool { true }

  func read(_ target: UnsafeMutableRawBufferPointer, at position: Int) -> Bool {
    guard position + target.count <= size else { return false }
    target.copyBytes(from: bytes[position..<position + target.count])
    return true
  }

  /// Reads pieces of these sizes, and then, to the end, pieces of one size.
  func read(_ sizes: [Int], thenPiecesOf rest: Int) {
    var values = SoundFontGuard(self)
    var sizes = sizes[...]
    while bytesRead.count < size {
      var piece = [UInt8](
        repeating: 0, count: min(sizes.popFirst() ?? rest, size - bytesRead.count))
      piece.withUnsafeMutableBytes {
        _ = read($0, at: bytesRead.count)
        values.check($0, readAt: bytesRead.count)
      }
      bytesRead += piece
    }
  }
}
