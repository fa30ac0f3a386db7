import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SoundFontPresetTests {
  @Test(arguments: Fonts.all)
  func `a unit has the SoundFont's presets, in order of bank and program`(font: String) throws {
    let presets = try SoundFont.open(font).presets()
    let places = presets.map { $0.selection.bank * 128 + $0.selection.program }
    #expect(places == places.sorted())
    #expect(places.contains(0) && places.contains(128 * 128))
    let unit = try makeUnit(font: font)
    #expect(unit.presets.map(\.name) == presets.map(\.name))
    let parameters = try #require(unit.parameters)
    for preset in unit.presets { try parameters.set(preset.values) }
  }

  @Test func `a preset has its name in the SoundFont`() throws {
    let presets = try SoundFont.open(Fonts.timGM6mb).presets()
    #expect(presets.first?.name == "Piano 1")
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a preset that is set is played`(timing: Timing) throws {
    var note = UnitPerformance()
    note.performance.note(1000, 0, 60, 100, length: 3000)
    let unit = try makeUnit(timing)
    let violin = try #require(unit.presets.first { $0.values["preset.program"] == 40 })
    try unit.parameters?.set(violin.values)
    let played = unit.play(note, frames: 8000)
    note.performance.add(0, .programChange, 0, 40)
    #expect(try makeUnit(timing).play(note, frames: 8000) == played)
  }
}
