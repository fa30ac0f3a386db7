import CFluidSynth
import FluidSynthEngine
import RenderCore
import Testing

/// The parameters of envelope, filter and vibrato, and those of how notes are played.
@Suite(.timeLimit(.minutes(5))) struct SoundParameterTests {
  /// Each parameter, a value, the generator that it offsets, and the offset.
  static let offsets: [(String, Float, fluid_gen_type, Float)] = [
    ("envelope.attack", 2400, GEN_VOLENVATTACK, 2400),
    ("envelope.decay", -3600, GEN_VOLENVDECAY, -3600),
    ("envelope.sustain", -12, GEN_VOLENVSUSTAIN, 120),
    ("envelope.release", 1800, GEN_VOLENVRELEASE, 1800),
    ("filter.cutoff", -4800, GEN_FILTERFC, -4800),
    ("filter.resonance", 9, GEN_FILTERQ, 90),
    ("vibrato.depth", 80, GEN_VIBLFOTOPITCH, 80),
    ("vibrato.rate", -1200, GEN_VIBLFOFREQ, -1200),
    ("vibrato.delay", 1200, GEN_VIBLFODELAY, 1200),
  ]

  /// A step of a performance on one channel, at a block of 64 frames.
  private enum Step {
    case message(ChannelMessage.Kind, Int, Int)
    case parameter(Float)
  }

  private static let frames = 48_000
  private static let strings: Step = .message(.programChange, 48, 0)
  private static let wheel: Step = .message(.controlChange, 1, 90)

  /// Plays steps, each with its block, on a unit.
  private func play(
    _ steps: [(Int, Step)], _ identifier: String, timing: Timing, state: [UInt8]? = nil
  ) throws -> (output: [[Float]], unit: any RenderUnit) {
    let unit = try makeUnit(timing, effects: .off)
    if let state { try unit.restore(state) }
    var performance = UnitPerformance()
    for (block, step) in steps {
      switch step {
      case .message(let kind, let a, let b): performance.performance.add(block * 64, kind, 0, a, b)
      case .parameter(let value): performance.change(block * 64, identifier, to: value)
      }
    }
    return (unit.play(performance, frames: Self.frames), unit)
  }

  /// Plays the same steps on a plain FluidSynth. A parameter is the generator's offset, added to what messages have set.
  private func plain(
    _ steps: [(Int, Step)], _ generator: fluid_gen_type, _ factor: Float
  ) throws -> [[Float]] {
    let plain = try #require(
      PlainSynth(Fonts.timGM6mb) { settings in
        fluid_settings_setint(settings, "synth.reverb.active", 0)
        fluid_settings_setint(settings, "synth.chorus.active", 0)
      })
    defer { withExtendedLifetime(plain) {} }
    let (synth, number) = (plain.synth, Int32(generator.rawValue))
    var offset: Float = 0
    var left = [Float](repeating: 0, count: Self.frames)
    var right = left
    for block in 0..<Self.frames / 64 {
      for (_, step) in steps.filter({ $0.0 == block }) {
        switch step {
        case .parameter(let value):
          let other = fluid_synth_get_gen(synth, 0, number) - offset
          offset = value * factor
          fluid_synth_set_gen(synth, 0, number, other + offset)
        case .message(let kind, let a, let b):
          let (a, b) = (Int32(a), Int32(b))
          switch kind {
          case .noteOn: fluid_synth_noteon(synth, 0, a, b)
          case .noteOff: fluid_synth_noteoff(synth, 0, a)
          case .programChange: fluid_synth_program_change(synth, 0, a)
          default:
            // What messages set replaces their own part of the sum.
            let changes = a == 6 || a == 38 || a == 121
            let sum = fluid_synth_get_gen(synth, 0, number)
            if changes { fluid_synth_set_gen(synth, 0, number, sum - offset) }
            fluid_synth_cc(synth, 0, a, b)
            if changes {
              fluid_synth_set_gen(
                synth, 0, number, fluid_synth_get_gen(synth, 0, number) + offset)
            }
          }
        }
      }
      fluid_synth_write_float(
        synth, 64, &left, Int32(block * 64), 1, &right, Int32(block * 64), 1)
    }
    return [left, right]
  }

  private func difference(_ a: [[Float]], _ b: [[Float]]) -> Float {
    zip(a, b).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? .infinity
  }

  private func note(_ block: Int, key: Int = 60, blocks: Int = 250) -> [(Int, Step)] {
    [(block, .message(.noteOn, key, 100)), (block + blocks, .message(.noteOff, key, 0))]
  }

  private func check(
    _ steps: [(Int, Step)], _ offset: (String, Float, fluid_gen_type, Float),
    isAudible: Bool = true
  ) throws {
    let (identifier, value, generator, sum) = offset
    let judge = try plain(steps, generator, sum / value)
    let stock = try play(steps, identifier, timing: .stock).output
    #expect(stock == judge, "\(identifier) in stock timing")
    let exact = try play(steps, identifier, timing: .exact).output
    #expect(difference(exact, judge) < 2e-6, "\(identifier) in exact timing")
    guard isAudible else { return }
    let without = steps.filter { if case .parameter = $0.1 { false } else { true } }
    #expect(try difference(judge, plain(without, generator, 1)) > 1e-4, "\(identifier) is audible")
  }

  @Test(arguments: SoundParameterTests.offsets.indices)
  func `a parameter of the sound is FluidSynth's offset of the generator`(index: Int) throws {
    let offset = Self.offsets[index]
    try check(
      [(0, Self.strings), (0, Self.wheel), (0, .parameter(offset.1))] + note(0) + note(40, key: 67),
      offset)
  }

  @Test(arguments: SoundParameterTests.offsets.indices)
  func `a parameter of the sound acts on notes that sound`(index: Int) throws {
    let offset = Self.offsets[index]
    // While the first note sounds, while it is released, and back to 0. Attack and delay are over when it sounds.
    try check(
      [(0, Self.strings), (0, Self.wheel)] + note(1, blocks: 300) + [
        (20, .parameter(offset.1)), (320, .parameter(offset.1 / 2)), (400, .parameter(0)),
      ] + note(420), offset, isAudible: index != 0 && index != 8)
  }

  @Test(arguments: SoundParameterTests.offsets.indices)
  func `a parameter of the sound is added to what messages set`(index: Int) throws {
    let offset = Self.offsets[index]
    let generator = Int(offset.2.rawValue)
    func enter(_ block: Int, _ value: Int) -> [(Int, Step)] {
      // Without controller 38, of which some versions of FluidSynth enter a wrong value; see LibraryProbe.
      [(99, 120), (98, generator), (6, value >> 7)].map {
        (block, .message(.controlChange, $0.0, $0.1))
      }
    }
    // The types of a sum of all of them take Debian's Swift too long.
    var steps = [(0, Self.strings), (0, Self.wheel)] + enter(0, 8192 + 300) + note(1)
    // The parameter after the message, a message after the parameter, also with the sum's own value.
    steps += [(100, .parameter(offset.1))] + note(110)
    steps += enter(200, 8192 - 100) + note(210)
    steps += enter(300, 8192 + Int(offset.3)) + note(310)
    // A reset removes what the messages have set, and no more.
    steps += [(400, .message(.controlChange, 121, 0)), (400, Self.wheel)] + note(410)
    steps += [(500, .parameter(0))] + enter(510, 8192 + 200) + note(520)
    try check(steps, offset)
  }

  @Test(arguments: Timing.allCases)
  func `a system reset keeps parameters of the sound`(timing: Timing) throws {
    func note(_ isReset: Bool) throws -> [[Float]] {
      var unit = UnitPerformance()
      unit.change(0, "envelope.attack", to: 3600)
      unit.change(0, "filter.cutoff", to: -3600)
      unit.performance.note(0, 0, 60, 100, length: 64)
      unit.performance.add(128, .controlChange, 0, 120, 0)
      if isReset {
        unit.performance.addSysEx(128, [0x7E, 0x7F, 0x09, 0x01])
      }
      unit.performance.add(48_000, .programChange, 0, 48)
      unit.performance.note(48_000, 0, 60, 100, length: 20_000)
      let output = try makeUnit(timing, effects: .off).play(unit, frames: 96_000)
      return output.map { Array($0[48_000...]) }
    }
    #expect(try note(true) == note(false))
  }

  @Test(arguments: Timing.allCases)
  func `a saved state contains what messages have set, without the parameters`(timing: Timing)
    throws
  {
    let entered: [(Int, Step)] =
      [(0, Self.strings)]
      + [(99, 120), (98, Int(GEN_FILTERFC.rawValue)), (38, 0), (6, 50)].map {
        (0, .message(.controlChange, $0.0, $0.1))
      }
    func state(_ steps: [(Int, Step)]) throws -> [UInt8] {
      try play(steps, "filter.cutoff", timing: timing).unit.save()
    }
    let saved = try state(entered)
    #expect(try state([(0, .parameter(-2400))] + entered) == saved)
    #expect(try state(entered + [(0, .parameter(-2400))]) == saved)
    // Restored beside a parameter, both act.
    let changed: [(Int, Step)] = [(0, .parameter(-1200))]
    let restored = try play(
      changed + note(10), "filter.cutoff", timing: timing, state: saved)
    let played = try play(entered + changed + note(10), "filter.cutoff", timing: timing)
    #expect(restored.output == played.output)
    #expect(restored.unit.save() == saved)
  }

  /// Restored while the parameter is set, as presets of a host are.
  @Test(arguments: Timing.allCases)
  func `restoring a state keeps the parameters of the sound`(timing: Timing) throws {
    let unit = try makeUnit(timing, effects: .off)
    let initial = unit.save()
    func play(_ change: (inout UnitPerformance) -> Void) -> [[Float]] {
      var performance = UnitPerformance()
      change(&performance)
      performance.performance.note(6400, 0, 60, 100, length: 20_000)
      return unit.play(performance, frames: 96_000)
    }
    let first = play {
      $0.change(0, "filter.cutoff", to: -3600)
      $0.change(0, "tuning", to: 50)
    }
    _ = play { $0.performance.add(0, .controlChange, 0, 10, 0) }
    try unit.restore(initial)
    let again = play { _ in }
    #expect(difference(first, again) < (timing == .exact ? 1e-9 : 1e-3))
  }

  @Test(arguments: Timing.allCases)
  func `transposed notes are other keys, except drums`(timing: Timing) throws {
    func song(_ shift: Int, parameter: Float) throws -> [[Float]] {
      var unit = UnitPerformance()
      if parameter != 0 { unit.change(0, "transposition", to: parameter) }
      unit.performance.note(64, 0, 60 + shift, 100, length: 20_000)
      unit.performance.note(640, 1, 72 + shift, 100, length: 10_000)
      unit.performance.note(1280, 9, 38, 100, length: 10_000)
      return try makeUnit(timing).play(unit, frames: 48_000)
    }
    #expect(try song(0, parameter: 7) == song(7, parameter: 0))
    #expect(try song(0, parameter: -12) == song(-12, parameter: 0))
    #expect(try song(0, parameter: 1) != song(0, parameter: 0))
  }

  @Test(arguments: Timing.allCases)
  func `a held key ends its note after the transposition has changed`(timing: Timing) throws {
    var unit = UnitPerformance()
    unit.performance.add(0, .programChange, 0, 19)
    unit.performance.note(64, 0, 60, 100, length: 6400)
    unit.change(3200, "transposition", to: 5)
    unit.performance.note(4800, 0, 64, 100, length: 6400)
    unit.change(6400, "transposition", to: 0)
    let output = try makeUnit(timing, effects: .off).play(unit, frames: 96_000)
    #expect(output[0][4000...6000].contains { abs($0) > 1e-3 })
    #expect(output[0][90_000...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test(arguments: Timing.allCases)
  func `the velocity curve is that of zones`(timing: Timing) throws {
    func note(_ velocity: UInt8, curve: Float) throws -> [[Float]] {
      var unit = UnitPerformance()
      if curve != 0 { unit.change(0, "velocity-curve", to: curve) }
      unit.performance.note(64, 0, 60, Int(velocity), length: 20_000)
      return try makeUnit(timing).play(unit, frames: 24_000)
    }
    for velocity in [1, 40, 90, 127] as [UInt8] {
      #expect(try note(velocity, curve: 1) == note(VelocityCurve.soft[velocity], curve: 0))
      #expect(try note(velocity, curve: 2) == note(VelocityCurve.hard[velocity], curve: 0))
    }
  }

  @Test func `the polyphony limits the notes that sound`() throws {
    func song(polyphony: Int, parameter: Float?) throws -> [[Float]] {
      let settings = InstrumentSettings(effects: .off, polyphony: polyphony)
      let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
        .makeUnit(Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 8192))
      var performance = UnitPerformance()
      if let parameter { performance.change(0, "polyphony", to: parameter) }
      for i in 0..<12 { performance.performance.note(100 + i * 500, 0, 50 + i, 100, length: 9000) }
      return unit.play(performance, frames: 24_000)
    }
    #expect(try song(polyphony: 256, parameter: 3) == song(polyphony: 3, parameter: nil))
    #expect(
      try song(polyphony: 3, parameter: nil) != song(polyphony: 256, parameter: nil))
  }

  @Test func `after the polyphony was lowered, the next note leaves as many as are allowed`() throws
  {
    let unit = try makeUnit(effects: .off)
    var performance = UnitPerformance()
    performance.performance.add(0, .programChange, 0, 19)
    for key in 50..<60 { performance.performance.add(0, .noteOn, 0, key, 100) }
    performance.change(9600, "polyphony", to: 1)
    performance.performance.note(9600, 0, 72, 100, length: 30_000)
    performance.performance.add(48_000, .noteOff, 0, 72)
    let output = unit.play(performance, frames: 96_000)
    #expect(output[0][5000...9000].contains { abs($0) > 1e-3 })
    // The keys are still down, but only the last note sounded.
    #expect(output[0][90_000...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test(arguments: Timing.allCases)
  func `the bank style chooses what bank selects mean`(timing: Timing) throws {
    func note(style: BankStyle, parameter: Float?) throws -> [[Float]] {
      var settings = InstrumentSettings(timing: timing)
      settings.bankStyle = style
      let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
        .makeUnit(Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 8192))
      var performance = UnitPerformance()
      if let parameter { performance.change(0, "preset.bank-style", to: parameter) }
      // Rhythm in XG and in no other style.
      performance.performance.add(0, .controlChange, 0, 0, 127)
      performance.performance.add(0, .programChange, 0, 0)
      performance.performance.note(64, 0, 38, 100, length: 5000)
      return unit.play(performance, frames: 12_000)
    }
    let xg = try note(style: .xg, parameter: nil)
    #expect(try note(style: .auto, parameter: 4) == xg)
    #expect(try note(style: .auto, parameter: nil) != xg)
    #expect(try note(style: .xg, parameter: 0) == note(style: .auto, parameter: nil))
  }

  @Test func `parameters that cannot be changed are missing`() throws {
    func parameters(_ timing: Timing, _ change: (inout InstrumentSettings) -> Void) throws
      -> [String]
    {
      var settings = InstrumentSettings(timing: timing)
      change(&settings)
      let unit = try InstrumentSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
        .makeUnit(Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 8192))
      return unit.parameters?.tree.parameters.map(\.identifier) ?? []
    }
    #expect(try !parameters(.stock) { _ in }.contains("polyphony"))
    #expect(try parameters(.exact) { _ in }.last == "polyphony")
    #expect(try !parameters(.exact) { $0.bankStyle = .library }.contains("preset.bank-style"))
    let one = try parameters(.exact) { $0.preset = PresetSelection(bank: 0, program: 1) }
    #expect(one.last == "polyphony")
    #expect(!one.contains("preset.bank-style"))
  }
}
