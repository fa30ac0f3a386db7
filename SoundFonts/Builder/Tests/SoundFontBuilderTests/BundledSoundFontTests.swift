import Foundation
import Testing

@testable import SoundFontBuilder

/// The file in `SoundFonts/`, as it is shipped.
@Suite(.timeLimit(.minutes(5))) struct BundledSoundFontTests {
  static let bytes = bytes(of: "Portative.sf2")

  private static func bytes(of name: String) -> [UInt8] {
    let folder = (1...4).reduce(URL(filePath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    return (try? Array(Data(contentsOf: folder.appending(path: name)))) ?? []
  }

  static let file = Result { try SoundFontReader(bytes) }

  private func zones(bank: Int, program: Int) throws -> [SoundFontReader.Zone] {
    let file = try Self.file.get()
    let preset = try #require(file.presets.first { $0.bank == bank && $0.program == program })
    return preset.instruments.flatMap { file.instruments[$0] }
  }

  @Test func `is smaller than 4 MiB`() { #expect((1..<4 << 20).contains(Self.bytes.count)) }

  @Test func `has every program of General MIDI, and each covers every key`() throws {
    for program in 0..<128 {
      let zones = try zones(bank: 0, program: program)
      for key in 0..<128 {
        #expect(zones.contains { $0.keys.contains(key) }, "program \(program), key \(key)")
      }
    }
  }

  @Test func `the kit has the keys 35 to 81`() throws {
    let zones = try zones(bank: 128, program: 0)
    #expect(Set(zones.flatMap(\.keys)) == Set(35...81))
  }

  @Test(arguments: [[42, 44, 46], [71, 72], [73, 74], [78, 79], [80, 81]])
  func `pieces that choke each other share a class of their own`(keys: [Int]) throws {
    let zones = try zones(bank: 128, program: 0)
    let classes = zones.filter { keys.contains($0.keys.lowerBound) }.map { $0.generators[57] }
    let first = try #require(classes[0])
    #expect(classes == Array(repeating: first, count: keys.count))
    #expect(zones.count { $0.generators[57] == first } == keys.count)
  }

  @Test func `sample names are unique`() throws {
    let names = try Self.file.get().samples.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `loops lie inside their samples with eight frames to spare`() throws {
    for sample in try Self.file.get().samples {
      #expect(sample.loopStart - sample.start >= 8, "\(sample.name)")
      #expect(sample.end - sample.loopEnd >= 8, "\(sample.name)")
      #expect(sample.loopEnd - sample.loopStart >= 32, "\(sample.name)")
    }
  }

  @Test func `loops close without a jump`() throws {
    let file = try Self.file.get()
    let looped = Set(
      file.instruments.joined().filter { $0.generators[54] == 1 }.compactMap { $0.generators[53] })
    #expect(looped.count > 100)
    for index in looped {
      let sample = file.samples[index]
      // The eight frames after the loop are the first eight again, but for rounding.
      for offset in 0..<8 {
        let (a, b) = (file.frame(sample.loopStart + offset), file.frame(sample.loopEnd + offset))
        #expect(abs(a - b) <= 2, "\(sample.name): \(a) and \(b)")
      }
      // And the last step of the loop is one the waveform makes elsewhere, too.
      let steps = (sample.loopStart..<min(sample.loopEnd - 1, sample.loopStart + 2_000)).map {
        abs(file.frame($0 + 1) - file.frame($0))
      }
      let seam = abs(file.frame(sample.loopStart) - file.frame(sample.loopEnd - 1))
      #expect(seam <= 2 * (steps.max() ?? 0) + 2, "\(sample.name): \(seam)")
    }
  }

  @Test func `the bundled files are what the builder makes`() {
    let areEqual = (
      GeneralMIDI.soundFont() == Self.bytes, CanonInD.midiFile() == Self.bytes(of: "demo.mid")
    )
    #expect(areEqual == (true, true))
  }
}
