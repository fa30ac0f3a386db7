import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct LayerSourceTests {
  @Test(
    arguments: [
      (0, 2, "inputChannels must be 1 to 2, but is 0"),
      (3, 2, "inputChannels must be 1 to 2, but is 3"),
      (2, 1, "outputChannels must be 2, but is 1"),
    ] as [(Int, Int, String)])
  func `unsupported formats are refused`(
    inputs: Int, channels: Int, sentence: String
  ) throws {
    let source = LayerSource(soundFont: try .open(Fonts.timGM6mb))
    let error = #expect(throws: FormatError.self) {
      try source.makeUnit(
        Format(
          sampleRate: 48_000, inputChannels: inputs, outputChannels: channels, maximumFrames: 256))
    }
    #expect(error?.description == sentence)
  }

  @Test func `a preset that the SoundFont lacks is reported before a unit is made`() throws {
    var settings = InstrumentSettings()
    settings.preset = PresetSelection(bank: 77, program: 5)
    let source = LayerSource(soundFont: try .open(Fonts.timGM6mb), settings: settings)
    #expect(throws: InstrumentError.self) { try source.check() }
  }
}
