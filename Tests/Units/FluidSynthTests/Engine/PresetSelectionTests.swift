import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct PresetSelectionTests {
  /// Returns a second of one note after `before`.
  private func sound(
    _ settings: InstrumentSettings, channel: Int = 0, before: (inout Performance) -> Void = { _ in }
  ) throws -> [Float] {
    var performance = Performance()
    before(&performance)
    performance.note(1, channel, 60, 100, length: 20_000)
    return try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings)
      .play(performance, frames: 30_000).left
  }

  private func settings(_ timing: Timing, bank: Int, program: Int) -> InstrumentSettings {
    var settings = InstrumentSettings(
      timing: timing, effects: Effects(reverb: false, chorus: false))
    settings.preset = PresetSelection(bank: bank, program: program)
    return settings
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a selected preset sounds like its program`(timing: Timing) throws {
    let flute = try sound(settings(timing, bank: 0, program: 73))
    var whole = settings(timing, bank: 0, program: 0)
    whole.preset = nil
    let told = try sound(whole) { $0.add(0, .programChange, 0, 73) }
    let untold = try sound(whole)
    #expect(flute == told)
    #expect(flute != untold)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `programs, banks, resets and the drum channel do not change the preset`(timing: Timing)
    throws
  {
    let flute = settings(timing, bank: 0, program: 73)
    let plain = try sound(flute)
    #expect(
      try sound(flute) {
        $0.add(0, .controlChange, 0, 0, 8)
        $0.add(0, .programChange, 0, 19)
      } == plain)
    #expect(try sound(flute) { $0.addSysEx(0, [0x7E, 0x7F, 0x09, 0x01]) } == plain)
    #expect(try sound(flute, channel: 9) == plain)
  }

  @Test func `a drum kit plays on any channel`() throws {
    let kit = try sound(settings(.exact, bank: 128, program: 0), channel: 3)
    var whole = settings(.exact, bank: 0, program: 0)
    whole.preset = nil
    #expect(try sound(whole, channel: 9) == kit)
  }

  @Test func `a preset that the SoundFont lacks is named`() throws {
    let missing = settings(.exact, bank: 77, program: 5)
    #expect(
      throws: InstrumentError.noSuchPreset(
        PresetSelection(bank: 77, program: 5), path: Fonts.timGM6mb)
    ) { try ExactInstrument(soundFont: Fonts.timGM6mb, settings: missing) }
  }
}
