import RenderCore
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct ReverbEngineTests {
  @Test(arguments: Timing.allCases)
  func `an engine that the library lacks is refused with those that it has`(timing: Timing) throws {
    let available = ReverbEngines.available.names
    let error = #expect(throws: InstrumentError.self) {
      try InstrumentSettings(timing: timing, reverbEngine: "cathedral").validate()
    }
    #expect(error == .noSuchReverbEngine("cathedral", available: available))
    let text = try #require(error?.description)
    #expect(text.contains("cathedral") && text.contains(FluidSynthLibrary.version))
    #expect(available.allSatisfy { text.contains($0) })
    #expect(ReverbEngines.available.standard.map { available.contains($0) } ?? available.isEmpty)
  }

  /// Returns a side stick with strong reverb.
  private func note(_ engine: String?, _ timing: Timing, room: Float? = nil, frames: Int) throws
    -> [Float]
  {
    var settings = InstrumentSettings(
      timing: timing, effects: Effects(reverb: true, chorus: false), reverbEngine: engine)
    settings.maximumFrames = 8192
    let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
      .makeUnit(Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 8192))
    var performance = UnitPerformance()
    if let room { performance.change(0, "reverb.room", to: room) }
    performance.performance.add(0, .controlChange, 9, 91, 127)
    performance.performance.note(0, 9, 37, 127, length: 1000)
    return unit.play(performance, frames: frames)[0]
  }

  private var engines: [String?] { [nil] + ReverbEngines.available.names.map { $0 } }

  @Test func `every engine sounds different from the others, and equal in both timings`() throws {
    var sounds: [[Float]] = []
    for engine in ReverbEngines.available.names {
      let stock = try note(engine, .stock, frames: 24_000)
      let exact = try note(engine, .exact, frames: 24_000)
      func power(_ sound: ArraySlice<Float>) -> Float { sound.reduce(0) { $0 + $1 * $1 } }
      // The note itself has ended by then.
      let (a, b) = (power(stock[12_000...]), power(exact[12_000...]))
      #expect(a > 0 && abs(b / a - 1) < 0.1, "\(engine): \(a) and \(b)")
      #expect(!sounds.contains(stock))
      sounds.append(stock)
    }
    if let standard = ReverbEngines.available.standard {
      #expect(try note(nil, .stock, frames: 24_000) == note(standard, .stock, frames: 24_000))
    }
  }

  @Test(arguments: [0, 0.5, 0.8] as [Float])
  func `a measured tail ends where the reverb falls below 100 dB`(room: Float) throws {
    for engine in engines {
      var values = EffectDefaults.shared.reverb
      values.room = room
      let measured = ReverbTail(rate: 48_000, engine: engine)
      let tail = try #require(measured.frames(values))
      #expect(measured.frames(values) == tail)
      let sound = try note(engine, .stock, room: room, frames: tail + 48_000)
      let peak = sound.map { abs($0) }.max() ?? 0
      #expect(sound[(tail + 24_000)...].allSatisfy { abs($0) < 2e-5 * peak })
      #expect(sound[(tail / 3)...].contains { abs($0) > 1e-5 * peak })
    }
  }
}
