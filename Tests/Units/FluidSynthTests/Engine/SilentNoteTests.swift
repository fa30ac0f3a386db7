import FluidSynthEngine
import RenderCore
import Testing

/// Checks that silent notes are counted by cause.
@Suite(.timeLimit(.minutes(5))) struct SilentNoteTests {
  /// Returns every key on fifteen channels at once; the SoundFont has no sample for 19 of the keys.
  private func everyKey(velocity: Int = 100) -> Performance {
    var performance = Performance()
    for channel in 0..<16 where channel != 9 {
      for key in 0..<128 { performance.add(0, .noteOn, channel, key, velocity) }
    }
    return performance
  }

  @Test(arguments: Timing.allCases)
  func `a note that loses its voice is not counted as missing in the SoundFont`(timing: Timing)
    throws
  {
    let settings = InstrumentSettings(timing: timing, overflowVoices: 16)
    let statistics = try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings)
      .play(everyKey(), frames: 20_000).statistics
    #expect(statistics.notes == 1920 && statistics.unmappedNotes == 285)
    #expect(statistics.voicelessNotes > 1000)
    #expect(statistics.silentNotes == statistics.unmappedNotes + statistics.voicelessNotes)
  }

  @Test func `stock timing counts the notes that lose their voices`() throws {
    var performance = Performance()
    for i in 0..<40 { performance.add(i * 1000, .noteOn, 0, 40 + i, 100) }
    performance.add(0, .programChange, 0, 19)
    func stolen(_ polyphony: Int) throws -> Int {
      var settings = InstrumentSettings(timing: .stock)
      settings.polyphony = polyphony
      let instrument = try StockInstrument(soundFont: Fonts.timGM6mb, settings: settings)
      let statistics = try instrument.play(performance, frames: 50_000).statistics
      #expect(statistics.silentNotes == 0)
      return statistics.stolenNotes
    }
    #expect(try stolen(256) == 0)
    #expect((1..<40).contains(try stolen(20)))
  }
}
