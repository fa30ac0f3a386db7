import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExactInstrumentTests {
  private func instrument(_ settings: InstrumentSettings = InstrumentSettings()) throws
    -> ExactInstrument
  {
    try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
  }

  @Test func `at the polyphony limit the quietest released note is stolen`() throws {
    var settings = InstrumentSettings(effects: Effects(reverb: false, chorus: false))
    settings.polyphony = 3
    var performance = Performance()
    performance.add(0, .programChange, 0, 19)
    performance.note(0, 0, 40, 100, length: 200_000)
    performance.note(0, 0, 52, 100, length: 200_000)
    // Released and still sounding when the fourth note begins.
    performance.note(0, 0, 64, 100, length: 30_000)
    performance.note(31_000, 0, 76, 100, length: 200_000)
    let recording = try instrument(settings).play(performance, frames: 120_000)
    #expect(recording.statistics.stolenNotes == 1)

    // Without the stolen note, the output after its end is identical, so the held notes were not stolen.
    let spared = Performance(
      performance.steps.filter {
        guard case .channel(let message) = $0.content else { return true }
        return message.data1 != 64
      }, of: performance)
    let reference = try instrument(settings).play(spared, frames: 120_000)
    #expect(reference.statistics.stolenNotes == 0)
    #expect(recording.left[90_000...] == reference.left[90_000...])
  }

  @Test func `a burst of notes reuses lanes, and every note is on its frame`() throws {
    var settings = InstrumentSettings(maximumFrames: 8192)
    settings.polyphony = 16
    var performance = Performance()
    performance.add(0, .programChange, 0, 19)
    for i in 0..<2000 { performance.note(i * 20, 0, 30 + i % 60, 100, length: 1000) }
    let flood = try instrument(settings)
    let recording = try flood.play(performance, frames: 48_000, cycles: { 8192 })
    #expect(recording.statistics.stolenNotes > 1000)
    #expect(recording.statistics.inexactOnsets == 0)
    #expect(recording.statistics.mostLanes <= 16 + 256)
    // The same notes are stolen for any cycle length.
    let again = try instrument(settings).play(performance, frames: 48_000, cycles: { 777 })
    #expect(again == recording)
  }

  @Test func `without a free lane a note is late by less than a block, not lost, and counted`()
    throws
  {
    let instrument = try instrument()
    try instrument.reserveLanes(1)
    let lanes = instrument.statistics.lanes
    var left = [Float](repeating: 0, count: 4096)
    var right = left
    let events = (0..<lanes + 1).map {
      MIDIEvent(
        offset: UInt32($0 * 100),
        content: .channel(ChannelMessage(.noteOn, channel: 0, UInt8(60 + $0), 100)))
    }
    events.withUnsafeBufferPointer { events in
      let cycle = MIDICycle(
        frames: 4096, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0))
      instrument.render(cycle, left: &left, right: &right)
    }
    #expect(instrument.statistics.inexactOnsets == 1)
    #expect(instrument.statistics.notes == lanes + 1)
  }

  @Test func `silence uses no lanes, and ended notes return theirs`() throws {
    let instrument = try instrument()
    var performance = Performance()
    for i in 0..<50 { performance.note(i * 24_000, 9, 42, 100, length: 100) }
    let recording = try instrument.play(performance, frames: 50 * 24_000)
    #expect(recording.statistics.mostLanes <= 2)
    #expect(recording.statistics.lanes <= 4)
  }

  @Test func `a preset that the SoundFont lacks is reported with what replaced it`() throws {
    var performance = Performance()
    performance.add(0, .controlChange, 0, 0, 77)
    performance.add(0, .programChange, 0, 5)
    performance.note(0, 0, 60, 100, length: 100)
    performance.note(500, 0, 60, 100, length: 100)
    let instrument = try instrument()
    _ = try instrument.play(performance, frames: 1000)
    #expect(
      instrument.substitutions
        == [PresetSubstitution(bank: 77, program: 5, replacement: (bank: 0, program: 5))])
  }

  @Test func `the installed library supports the engine`() throws {
    #expect(try instrument().capabilities.warnings.isEmpty)
  }

  @Test func `if the library fixes its sends, lanes run their own effects`() throws {
    var settings = InstrumentSettings()
    settings.presumesSends = false
    var performance = Performance()
    performance.add(0, .controlChange, 0, 91, 127)
    performance.note(0, 0, 60, 100, length: 2000)
    let own = try instrument(settings)
    #expect(own.capabilities.warnings.count == 1)
    let recording = try own.play(performance, frames: 48_000)
    let dry = try instrument(InstrumentSettings(effects: Effects(reverb: false, chorus: false)))
      .play(performance, frames: 48_000)
    #expect(recording.sums[2].allSatisfy { $0 == 0 })
    // The reverb rings longer than the dry sound.
    let tail = (20_000..<30_000).map { abs(recording.left[$0] - dry.left[$0]) }.max() ?? 0
    #expect(tail > 1e-4)
  }

  @Test(arguments: [
    ("rate", InstrumentSettings(rate: 7999)), ("gain", InstrumentSettings(gain: 10.5)),
    ("polyphony", InstrumentSettings(polyphony: 0)), ("threads", InstrumentSettings(threads: 65)),
  ])
  func `refuses a setting out of range, and names it`(name: String, settings: InstrumentSettings) {
    let error = #expect(throws: InstrumentError.self) { _ = try instrument(settings) }
    #expect(error?.description.contains(name) == true)
  }

  @Test func `refuses a file that is not a SoundFont`() {
    #expect(throws: InstrumentError.self) {
      try ExactInstrument(soundFont: "/etc/passwd", settings: InstrumentSettings())
    }
    #expect(throws: InstrumentError.self) {
      try StockInstrument(soundFont: "/nonexistent.sf2", settings: InstrumentSettings())
    }
  }
}
