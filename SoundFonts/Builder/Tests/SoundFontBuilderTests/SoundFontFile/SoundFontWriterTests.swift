import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct SoundFontWriterTests {
  private func tiny() -> SoundFont {
    var font = SoundFont(name: "Tiny", engineer: "E", copyright: "CC0 1.0", comment: "Odd")
    font.samples = [
      Recording(
        name: "A rather long name for it", frames: (0..<101).map { Double($0) / 100 },
        loop: 20..<60, sampleRate: 12_345, key: 61),
      Recording(
        name: "Second", frames: [2, -2] + [Double](repeating: 0, count: 40), sampleRate: 1, key: 1),
    ]
    font.instruments = [
      .init(
        name: "One",
        zones: [
          .init(keys: 0...60, generators: [.sampleModes: 1, .pan: -250], sample: 0),
          .init(
            keys: 61...127,
            modulators: [.init(source: 0x0102, destination: .initialFilterFc, amount: -2_400)],
            sample: 1),
        ])
    ]
    font.presets = [.init(name: "Tiny", bank: 128, program: 7, instrument: 0)]
    return font
  }

  @Test func `what is written is read back`() throws {
    let file = try SoundFontReader(SoundFontWriter(tiny()).bytes())
    #expect(file.text("INAM") == "Tiny")
    #expect(file.text("ICOP") == "CC0 1.0")
    let preset = try #require(file.presets.first)
    #expect((preset.bank, preset.program, preset.instruments) == (128, 7, [0]))
    #expect(file.instruments[0].map(\.keys) == [0...60, 61...127])
    #expect(file.instruments[0][0].generators[17] == 0x1_0000 - 250)
    #expect(file.instruments[0].map { $0.generators[53] } == [0, 1])
    let sample = file.samples[0]
    #expect(sample.name == "A rather long name ")
    #expect((sample.rate, sample.key) == (12_345, 61))
    #expect((sample.loopStart, sample.loopEnd) == (20, 60))
  }

  @Test func `46 frames of silence follow each sample, and peaks are clipped, not wrapped`() throws
  {
    let file = try SoundFontReader(SoundFontWriter(tiny()).bytes())
    let (first, second) = (file.samples[0], file.samples[1])
    #expect(second.start - first.end == 46)
    #expect(file.frameCount - second.end == 46)
    #expect((first.end..<second.start).allSatisfy { file.frame($0) == 0 })
    #expect((file.frame(second.start), file.frame(second.start + 1)) == (32_767, -32_767))
  }

  @Test func `a file cut short is refused by the reader`() {
    let bytes = SoundFontWriter(tiny()).bytes()
    #expect(throws: SoundFontReader.Failure.self) { try SoundFontReader(bytes.dropLast(2)) }
  }
}

extension SoundFontReader {
  init(_ slice: ArraySlice<UInt8>) throws { try self.init(Array(slice)) }
}
