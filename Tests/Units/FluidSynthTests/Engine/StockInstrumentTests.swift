import CFluidSynth
import FluidSynthEngine
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct StockInstrumentTests {
  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb], [false, true])
  func `has the bits of FluidSynth with the same calls`(
    font: String, ownsPresets: Bool
  ) throws {
    try expectBitsOfPlainFluidSynth(font, cycle: 1024, ownsPresets: ownsPresets)
  }

  @Test(arguments: [1, 64, 100, 4096])
  func `has the bits of FluidSynth for every division into calls`(
    cycle: Int
  ) throws {
    try expectBitsOfPlainFluidSynth(Fonts.timGM6mb, cycle: cycle, ownsPresets: true)
  }

  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb])
  func `has the bits of FluidSynth where a key returns with another program`(font: String) throws {
    var song = Performance()
    song.add(0, .controlChange, 0, 126, 1)
    song.note(6400, 0, 58, 100, length: 60_000)
    song.add(12_000, .programChange, 0, 45)
    song.note(20_000, 0, 51, 100, length: 12_800)
    song.add(40_000, .programChange, 0, 56)
    song.note(50_000, 0, 90, 60, length: 6400)
    try expectBitsOfPlainFluidSynth(font, cycle: 1024, ownsPresets: true, song)
  }

  /// - Parameter cycle: The interval in frames at which both end a call, besides the frames of events.
  private func expectBitsOfPlainFluidSynth(
    _ font: String, cycle: Int, ownsPresets: Bool,
    _ performance: Performance = busyPerformance(seed: 13)
  ) throws {
    let performance = performance.sorted
    let frames = min(performance.end + 30_000, 65_536 * max(1, cycle))
    let recording = try StockInstrument(
      soundFont: font, settings: InstrumentSettings(timing: .stock, ownsPresets: ownsPresets)
    ).play(performance, frames: frames, cycles: { cycle })

    // The plain FluidSynth to which the documentation promises equality.
    let plain = try #require(PlainSynth(font))
    defer { withExtendedLifetime(plain) {} }
    let synth = plain.synth
    var left = [Float](repeating: 0, count: frames)
    var right = left
    var done = 0
    func write(until frame: Int) {
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          _ = fluid_synth_write_float(
            synth, Int32(frame - done), left.baseAddress! + done, 0, 1,
            right.baseAddress! + done, 0, 1)
        }
      }
      done = frame
    }
    func divide(until frame: Int) {
      while (done / cycle + 1) * cycle < frame { write(until: (done / cycle + 1) * cycle) }
      write(until: frame)
    }
    for step in performance.steps where step.frame < frames {
      divide(until: step.frame)
      guard case .channel(let message) = step.content else { continue }
      let (channel, a, b) = (Int32(message.channel), Int32(message.data1), Int32(message.data2))
      switch message.kind {
      case .noteOn: fluid_synth_noteon(synth, channel, a, b)
      case .noteOff: fluid_synth_noteoff(synth, channel, a)
      case .controlChange: fluid_synth_cc(synth, channel, a, b)
      case .programChange: fluid_synth_program_change(synth, channel, a)
      case .pitchBend: fluid_synth_pitch_bend(synth, channel, a | b << 7)
      case .channelPressure: fluid_synth_channel_pressure(synth, channel, a)
      case .keyPressure: fluid_synth_key_pressure(synth, channel, a, b)
      }
    }
    divide(until: frames)
    #expect(recording.left == left)
    #expect(recording.right == right)
    #expect(left.contains { abs($0) > 0.01 })
  }

  @Test
  func `legato presets are requested, loaded by another thread, and then play like own presets`()
    throws
  {
    var asking = Performance()
    // Channel 1 has a replaced preset and a pending bank; channel 2 has a sounding note.
    asking.add(0, .controlChange, 1, 0, 77)
    asking.add(0, .programChange, 1, 4)
    asking.add(0, .controlChange, 1, 0, 5)
    asking.add(0, .controlChange, 0, 68, 127)
    asking.note(0, 2, 60, 100, length: 200)
    var passage = Performance()
    for channel in [0, 1, 9] {
      passage.add(0, .controlChange, channel, 68, 127)
      for i in 0..<12 { passage.note(640 + i * 6400, channel, 40 + i, 100, length: 8000) }
    }
    passage.add(80_000, .programChange, 1, 5)
    passage.note(80_100, 1, 60, 100, length: 1000)

    func played(ownsPresets: Bool, supplied: Bool) throws -> RenderedSound {
      let settings = InstrumentSettings(timing: .stock, ownsPresets: ownsPresets)
      let instrument = try StockInstrument(soundFont: Fonts.timGM6mb, settings: settings)
      #expect(!instrument.needsSupply)
      _ = try instrument.play(asking, frames: 1024)
      #expect(instrument.needsSupply == !ownsPresets)
      if supplied { try instrument.supply() }
      return try instrument.play(passage, frames: 120_000)
    }
    let own = try played(ownsPresets: true, supplied: false)
    #expect(try played(ownsPresets: false, supplied: true) == own)
    // Without own presets, each note is struck again.
    #expect(try played(ownsPresets: false, supplied: false) != own)
  }
}
