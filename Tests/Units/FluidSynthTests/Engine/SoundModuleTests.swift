import FluidSynthEngine
import RenderCore
import TestSupport
import Testing

extension Performance {
  /// Adds a System Exclusive message that is given in hexadecimal, without F0 and F7.
  mutating func sysEx(_ frame: Int, _ hex: String) {
    addSysEx(frame, hex.split(separator: " ").map { UInt8($0, radix: 16)! })
  }

  /// Adds a GS message with its checksum.
  mutating func gs(_ frame: Int, _ address: [UInt8], _ data: UInt8...) {
    let sum = (address + data).reduce(0) { ($0 + Int($1)) % 128 }
    addSysEx(frame, [0x41, 0x10, 0x42, 0x12] + address + data + [UInt8((128 - sum) % 128)])
  }

  mutating func xg(_ frame: Int, _ address: [UInt8], _ data: UInt8...) {
    addSysEx(frame, [0x43, 0x10, 0x4C] + address + data)
  }

  mutating func control(_ channel: Int, _ number: Int, _ value: Int, at frame: Int = 0) {
    add(frame, .controlChange, channel, number, value)
  }

  mutating func program(_ channel: Int, _ number: Int) { add(0, .programChange, channel, number) }

  mutating func gsReset(at frame: Int = 0) { gs(frame, [0x40, 0x00, 0x7F], 0) }
  mutating func xgOn(at frame: Int = 0) { xg(frame, [0x00, 0x00, 0x7E], 0) }
  mutating func gmOn(at frame: Int = 0) { sysEx(frame, "7E 7F 09 01") }
  mutating func gm2On(at frame: Int = 0) { sysEx(frame, "7E 7F 09 03") }
}

/// A choice of a preset by messages, and the preset that must sound.
private struct Choice: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var channel = 0
  var style = BankStyle.auto
  var bank = 0
  var program = 0
  var set: @Sendable (inout Performance) -> Void

  init(
    _ name: String, channel: Int = 0, style: BankStyle = .auto, bank: Int = 0, program: Int = 0,
    _ set: @Sendable @escaping (inout Performance) -> Void
  ) {
    testDescription = name
    self.channel = channel
    self.style = style
    self.bank = bank
    self.program = program
    self.set = set
  }

  static let all = [
    Choice("GS rhythm part", bank: 128, program: 16) {
      $0.gsReset()
      $0.gs(0, [0x40, 0x11, 0x15], 1)
      $0.program(0, 16)
    },
    Choice("GS rhythm part without a reset and a program", channel: 10, bank: 128) {
      $0.program(10, 40)
      $0.gs(0, [0x40, 0x1A, 0x15], 2)
    },
    Choice("GS melody on channel 10", channel: 9, program: 40) {
      $0.gsReset()
      $0.gs(0, [0x40, 0x10, 0x15], 0)
      $0.program(9, 40)
    },
    Choice("GS with a wrong checksum and device", bank: 128, program: 25) {
      $0.sysEx(0, "41 00 42 12 40 11 15 01 00")
      $0.program(0, 25)
    },
    Choice("GS variation", bank: 8, program: 4) {
      $0.gsReset()
      $0.control(0, 0, 8)
      $0.control(0, 32, 2)
      $0.program(0, 4)
    },
    Choice("GS variation that is missing", program: 73) {
      $0.control(0, 0, 8)
      $0.program(0, 73)
    },
    Choice("GS program of a part", channel: 4, bank: 8, program: 4) {
      $0.gs(0, [0x40, 0x15, 0x00], 8, 4)
    },
    Choice("GS bank select of a rhythm part", channel: 9, bank: 128, program: 8) {
      $0.control(9, 0, 1)
      $0.program(9, 8)
    },
    Choice("a bank select without a program change", program: 4) {
      $0.program(0, 4)
      $0.control(0, 0, 8)
    },
    Choice("GM ignores banks", program: 4) {
      $0.gmOn()
      $0.control(0, 0, 8)
      $0.program(0, 4)
    },
    Choice("GM off restores banks", bank: 8, program: 4) {
      $0.gmOn()
      $0.sysEx(0, "7E 7F 09 02")
      $0.control(0, 0, 8)
      $0.program(0, 4)
    },
    Choice("GM after GS", channel: 2) {
      $0.gs(0, [0x40, 0x13, 0x15], 1)
      $0.gmOn()
    },
    Choice("GM2 rhythm", channel: 3, bank: 128, program: 8) {
      $0.gm2On()
      $0.control(3, 0, 120)
      $0.program(3, 8)
    },
    Choice("GM2 melody with a bank", channel: 9, bank: 8, program: 4) {
      $0.gm2On()
      $0.control(9, 0, 121)
      $0.control(9, 32, 8)
      $0.program(9, 4)
    },
    Choice("XG rhythm by bank", channel: 3, bank: 128) {
      $0.xgOn()
      $0.control(3, 0, 127)
      $0.program(3, 0)
    },
    Choice("XG rhythm by part mode", channel: 3, bank: 128) {
      $0.xgOn()
      $0.xg(0, [0x08, 0x03, 0x07], 1)
    },
    Choice("XG part mode with another device", channel: 3, bank: 128, program: 25) {
      $0.sysEx(0, "43 13 4C 00 00 7E 00")
      $0.sysEx(0, "43 15 4C 08 03 07 02")
      $0.program(3, 25)
    },
    Choice("XG channel 10", channel: 9, bank: 128, program: 8) {
      $0.xgOn()
      $0.program(9, 8)
    },
    Choice("XG melody on channel 10", channel: 9, program: 33) {
      $0.xgOn()
      $0.control(9, 0, 0)
      $0.program(9, 33)
    },
    Choice("XG melody with CC 0 of 121", channel: 3, program: 33) {
      $0.xgOn()
      $0.control(3, 0, 121)
      $0.program(3, 33)
    },
    Choice("XG bank", bank: 8, program: 4) {
      $0.xgOn()
      $0.control(0, 0, 0)
      $0.control(0, 32, 8)
      $0.program(0, 4)
    },
    Choice("XG bank and program of a part", channel: 7, bank: 8, program: 4) {
      $0.xgOn()
      $0.xg(0, [0x08, 0x07, 0x01], 0, 8, 4)
    },
    Choice("XG all parameter reset", channel: 3) {
      $0.xgOn()
      $0.xg(0, [0x08, 0x03, 0x07], 1)
      $0.xg(0, [0x00, 0x00, 0x7F], 0)
    },
    Choice("a chosen style outlives a reset", style: .gs, bank: 8, program: 4) {
      $0.xgOn()
      $0.control(0, 0, 8)
      $0.program(0, 4)
    },
    Choice("a chosen style without a reset", channel: 2, style: .xg, bank: 128) {
      $0.control(2, 0, 127)
      $0.program(2, 0)
    },
    Choice("MMA", style: .mma, bank: 8, program: 4) {
      $0.control(0, 0, 0)
      $0.control(0, 32, 8)
      $0.program(0, 4)
    },
  ]
}

@Suite(.timeLimit(.minutes(5))) struct SoundModuleTests {
  private func settings(
    _ timing: Timing, _ style: BankStyle = .auto, effects: Bool = false
  ) -> InstrumentSettings {
    var settings = InstrumentSettings(
      timing: timing, effects: Effects(reverb: effects, chorus: effects))
    settings.bankStyle = style
    return settings
  }

  /// Returns the sound of a performance, by default with a note.
  private func sound(
    _ settings: InstrumentSettings, font: String = Fonts.fluidR3, frames: Int = 20_000,
    cycles: @escaping () -> Int = { 1024 },
    _ set: (inout Performance) -> Void
  ) throws -> RenderedSound {
    var performance = Performance()
    set(&performance)
    return try Instrument.make(soundFont: font, settings: settings)
      .play(performance, frames: frames, cycles: cycles)
  }

  @Test(arguments: Choice.all, [Timing.exact, .stock])
  fileprivate func `messages choose the preset that their system defines`(
    choice: Choice, timing: Timing
  ) throws {
    let sound = try sound(settings(timing, choice.style)) {
      choice.set(&$0)
      $0.note(64, choice.channel, 45, 100, length: 9000)
    }
    var explicit = settings(timing)
    explicit.preset = PresetSelection(bank: choice.bank, program: choice.program)
    let expected = try self.sound(explicit) { $0.note(64, 0, 45, 100, length: 9000) }
    #expect(sound.left == expected.left)
    #expect(expected.left.contains { $0 != 0 })
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a bank select after the program change is no missing preset`(timing: Timing) throws {
    var performance = Performance()
    performance.program(0, 4)
    performance.control(0, 0, 99)
    performance.note(1, 0, 60, 100, length: 9000)
    let instrument = try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings(timing))
    _ = try instrument.play(performance, frames: 2000)
    #expect(instrument.substitutions.isEmpty)
    var asked = Performance()
    asked.program(0, 4)
    asked.note(1, 0, 60, 100, length: 9000)
    _ = try instrument.play(asked, frames: 2000)
    #expect(instrument.substitutions.map(\.bank) == [99])
  }

  /// Settings of a part, each with the controllers of its channel that have the same meaning.
  private static let controllers: [(String, [UInt8], UInt8, [Int])] = [
    ("level", [0x40, 0x12, 0x19], 40, [7, 40]), ("pan", [0x40, 0x12, 0x1C], 20, [10, 20]),
    ("reverb send", [0x40, 0x12, 0x22], 127, [91, 127]),
    ("chorus send", [0x40, 0x12, 0x21], 127, [93, 127]),
    ("bend range", [0x40, 0x22, 0x10], 0x4C, [101, 0, 100, 0, 6, 12, 38, 0]),
    ("XG level", [0x08, 0x01, 0x0B], 40, [7, 40]), ("XG pan", [0x08, 0x01, 0x0E], 20, [10, 20]),
    ("XG reverb send", [0x08, 0x01, 0x13], 127, [91, 127]),
    ("XG chorus send", [0x08, 0x01, 0x12], 127, [93, 127]),
    ("XG bend range", [0x08, 0x01, 0x23], 0x4C, [101, 0, 100, 0, 6, 12, 38, 0]),
  ]

  @Test(arguments: Self.controllers, [Timing.exact, .stock])
  func `a setting of a part acts as the controller of its channel`(
    setting: (name: String, address: [UInt8], value: UInt8, controllers: [Int]), timing: Timing
  ) throws {
    func play(_ set: (inout Performance) -> Void) throws -> RenderedSound {
      try sound(settings(timing, effects: true)) {
        $0.add(0, .pitchBend, 1, 0, 100)
        set(&$0)
        $0.note(640, 1, 60, 100, length: 9000)
      }
    }
    let bySysEx = try play {
      if setting.name.hasPrefix("XG") {
        $0.xg(300, setting.address, setting.value)
      } else {
        $0.gs(300, setting.address, setting.value)
      }
    }
    let byController = try play {
      for index in stride(from: 0, to: setting.controllers.count, by: 2) {
        $0.control(1, setting.controllers[index], setting.controllers[index + 1], at: 300)
      }
    }
    #expect(bySysEx == byController)
    #expect(try play { _ in } != byController)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a key shift plays other keys, but not those of rhythm parts`(timing: Timing) throws {
    func play(_ channel: Int, _ key: Int, _ set: (inout Performance) -> Void) throws -> [Float] {
      try sound(settings(timing)) {
        set(&$0)
        $0.note(64, channel, key, 100, length: 9000)
      }.left
    }
    let lower = try play(0, 48) { _ in }
    #expect(try play(0, 60) { $0.gs(0, [0x40, 0x11, 0x16], 0x34) } == lower)
    #expect(try play(0, 60) { $0.xg(0, [0x08, 0x00, 0x08], 0x34) } == lower)
    #expect(try play(0, 60) { $0.gs(0, [0x40, 0x00, 0x05], 0x34) } == lower)
    #expect(try play(0, 60) { $0.xg(0, [0x00, 0x00, 0x06], 0x34) } == lower)
    #expect(try play(0, 60) { $0.sysEx(0, "7F 7F 04 04 00 34") } == lower)
    #expect(
      try play(0, 60) {
        $0.gs(0, [0x40, 0x00, 0x05], 0x3C)
        $0.gs(0, [0x40, 0x11, 0x16], 0x38)
      } == lower)
    let drum = try play(9, 38) { _ in }
    #expect(try play(9, 38) { $0.sysEx(0, "7F 7F 04 04 00 34") } == drum)
    #expect(try play(9, 38) { $0.gs(0, [0x40, 0x10, 0x16], 0x34) } == drum)
    // Beyond the range of keys.
    #expect(try play(0, 5) { $0.gs(0, [0x40, 0x11, 0x16], 0x34) } == play(0, 5) { _ in })
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a note that was struck before a key shift ends with its own note-off`(
    timing: Timing
  ) throws {
    let plain = try sound(settings(timing)) { $0.note(0, 0, 60, 100, length: 9000) }
    let shifted = try sound(settings(timing)) {
      $0.add(0, .noteOn, 0, 60, 100)
      $0.gs(4000, [0x40, 0x00, 0x05], 0x4C)
      $0.add(9000, .noteOff, 0, 60)
    }
    #expect(shifted.left == plain.left)
    // And one that was struck after it.
    let later = try sound(settings(timing)) {
      $0.gs(0, [0x40, 0x00, 0x05], 0x4C)
      $0.add(0, .noteOn, 0, 48, 100)
      $0.gsReset(at: 15_000)
      $0.add(9000, .noteOff, 0, 48)
    }
    #expect(later.left[..<15_000] == plain.left[..<15_000])
  }

  @Test(
    arguments: [
      "7F 7F 04 01 00 00", "41 10 42 12 40 00 04 00 3C", "43 10 4C 00 00 04 00",
      "43 10 4C 00 00 05 7F",
    ], [Timing.exact, .stock])
  func `master volume 0 is silence, and full volume the bits without it`(
    zero: String, timing: Timing
  ) throws {
    func note(_ performance: inout Performance) {
      performance.note(64, 0, 60, 100, length: 30_000)
    }
    let plain = try sound(settings(timing, effects: true), frames: 40_000, note)
    let silent = try sound(settings(timing, effects: true), frames: 40_000) {
      $0.sysEx(0, zero)
      note(&$0)
    }
    #expect(silent.left.allSatisfy { $0 == 0 })
    #expect(silent.right.allSatisfy { $0 == 0 })
    // A fade from silence during a note.
    let back = try sound(settings(timing, effects: true), frames: 40_000) {
      $0.sysEx(0, zero)
      $0.sysEx(20_000, "7F 7F 04 01 00 7F")
      $0.sysEx(20_000, "43 10 4C 00 00 05 00")
      note(&$0)
    }
    #expect(back.left[..<20_000].allSatisfy { $0 == 0 })
    #expect(back.left[20_128...] == plain.left[20_128...])
  }

  @Test func `half the master volume is a quarter of the level, and balance attenuates one side`()
    throws
  {
    for timing in [Timing.exact, .stock] {
      func play(_ hex: String?) throws -> RenderedSound {
        try sound(settings(timing)) {
          if let hex { $0.sysEx(0, hex) }
          $0.note(64, 0, 60, 100, length: 9000)
        }
      }
      let plain = try play(nil)
      let half = try play("7F 7F 04 01 40 3F")
      for (a, b) in zip(half.left, plain.left) { #expect(abs(a - b / 4) <= abs(b) * 1e-6 + 1e-11) }
      let left = try play("7F 7F 04 02 00 00")
      #expect(left.left == plain.left)
      #expect(left.right.allSatisfy { $0 == 0 })
      #expect(try play("41 10 42 12 40 00 06 00 3A").right == left.right)
    }
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a part plays the channel that it receives`(timing: Timing) throws {
    func play(_ channel: Int, _ set: (inout Performance) -> Void) throws -> RenderedSound {
      try sound(settings(timing)) {
        $0.program(0, 20)
        $0.program(1, 60)
        set(&$0)
        $0.note(64, channel, 60, 100, length: 9000)
      }
    }
    let (organ, horn) = (try play(0) { _ in }, try play(1) { _ in })
    #expect(try play(4) { $0.gs(0, [0x40, 0x12, 0x02], 4) }.statistics.notes == 1)
    let moved = try play(4) {
      $0.gs(0, [0x40, 0x12, 0x02], 4)
      $0.xg(0, [0x08, 0x04, 0x04], 0x7F)
    }
    #expect(moved.left == horn.left)
    let silent = try play(0) { $0.gs(0, [0x40, 0x11, 0x02], 0x10) }
    #expect(silent.left.allSatisfy { $0 == 0 })
    #expect(silent.statistics.notes == 1)
    let layer = try play(0) { $0.xg(0, [0x08, 0x01, 0x04], 0) }
    #expect(layer.statistics.notes == 1)
    if timing == .exact {
      #expect(layer.sums[0] == zip(organ.sums[0], horn.sums[0]).map { $0 + $1 })
    } else {
      for ((a, b), c) in zip(zip(organ.left, horn.left), layer.left) {
        #expect(abs(a + b - c) < 1e-6)
      }
    }
  }

  @Test(arguments: [Timing.exact, .stock])
  func `tunings of GS, XG and the MIDI standard are equal, and reach sounding notes`(
    timing: Timing
  ) throws {
    func play(_ set: (inout Performance) -> Void) throws -> [Float] {
      try sound(settings(timing)) {
        set(&$0)
        $0.note(0, 0, 60, 100, length: 9000)
      }.left
    }
    let plain = try play { _ in }
    // 50 cents.
    let gs = try play { $0.gs(6400, [0x40, 0x00, 0x00], 0, 5, 15, 4) }
    #expect(try play { $0.xg(6400, [0x00, 0x00, 0x00], 0, 5, 15, 4) } == gs)
    #expect(gs[..<6400] == plain[..<6400])
    #expect(gs != plain)
    // 10 cents lower for every C.
    let scale = try play { $0.gs(0, [0x40, 0x11, 0x40], 0x36) }
    #expect(try play { $0.xg(0, [0x08, 0x00, 0x41], 0x36) } == scale)
    #expect(
      try play { $0.sysEx(0, "7E 10 08 08 03 7F 7F 36 40 40 40 40 40 40 40 40 40 40 40") }
        == scale)
    #expect(scale != plain)
    #expect(try play { $0.gs(0, [0x40, 0x12, 0x40], 0x36) } == plain)
    #expect(
      try play { $0.gs(0, [0x40, 0x11, 0x40], 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64) }
        == plain)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a reset restores the sound of a new instrument`(timing: Timing) throws {
    func note(_ performance: inout Performance) {
      for channel in [0, 1, 9] { performance.note(1024, channel, 45, 100, length: 9000) }
    }
    let plain = try sound(settings(timing, effects: true), note)
    for reset in ["7E 7F 09 01", "41 10 42 12 40 00 7F 00 41", "41 10 42 12 00 00 7F 00 01"] {
      let after = try sound(settings(timing, effects: true)) {
        $0.xgOn()
        $0.gs(0, [0x40, 0x00, 0x04], 20)
        $0.gs(0, [0x40, 0x00, 0x05], 0x4C)
        $0.gs(0, [0x40, 0x00, 0x00], 0, 5, 0, 0)
        $0.gs(0, [0x40, 0x11, 0x15], 1)
        $0.gs(0, [0x40, 0x12, 0x02], 0)
        $0.gs(0, [0x40, 0x11, 0x40], 0x20)
        $0.gs(0, [0x40, 0x01, 0x33], 0)
        $0.gs(0, [0x40, 0x01, 0x38], 5)
        $0.sysEx(0, reset)
        note(&$0)
      }
      // The chorus has restarted its modulation.
      #expect(after.sums == plain.sums)
      if timing == .stock { #expect(after.statistics == plain.statistics) }
    }
  }

  @Test(arguments: [Timing.exact, .stock])
  func `effect levels 0 leave the dry sound, and initial values the bits without them`(
    timing: Timing
  ) throws {
    func play(effects: Bool = true, _ set: (inout Performance) -> Void) throws -> [Float] {
      try sound(settings(timing, effects: effects), frames: 30_000) {
        $0.control(0, 91, 127)
        $0.control(0, 93, 127)
        set(&$0)
        $0.note(640, 0, 60, 100, length: 9000)
      }.left
    }
    let (plain, dry) = (try play { _ in }, try play(effects: false) { _ in })
    let off = try play {
      $0.gs(0, [0x40, 0x01, 0x33], 0)
      $0.gs(0, [0x40, 0x01, 0x3A], 0)
    }
    #expect(zip(off, dry).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(!zip(plain, dry).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(
      try play {
        $0.gs(0, [0x40, 0x01, 0x30], 4)
        $0.gs(0, [0x40, 0x01, 0x33], 64)
        $0.gs(0, [0x40, 0x01, 0x38], 2)
        $0.sysEx(0, "7F 7F 04 05 01 01 01 01 01 01 40")
      } == plain)
    for change in [
      "41 10 42 12 40 01 30 00 0F", "43 10 4C 02 01 0C 20", "7F 7F 04 05 01 01 01 01 01 01 10",
      "7F 7F 04 05 01 01 01 01 02 02 60",
    ] { #expect(try play { $0.sysEx(0, change) } != plain) }
  }

  /// A dense performance with messages of all kinds.
  ///
  /// - Parameter routes: Whether parts change the channels that they play. A part then plays notes of several channels.
  private func song(routes: Bool = true) -> Performance {
    var performance = busyPerformance(seed: 41, seconds: 2)
    var random = Seeded(17)
    performance.gsReset()
    for frame in stride(from: 999, to: 90_000, by: 977) {
      let value = UInt8.random(in: 0..<128, using: &random)
      let part = UInt8.random(in: 0..<16, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: performance.gs(frame, [0x40, 0x00, 0x04], value)
      case 1: performance.sysEx(frame, "7F 7F 04 01 00 \(String(value, radix: 16))")
      case 2: performance.gs(frame, [0x40, 0x00, 0x06], value)
      case 3: performance.gs(frame, [0x40, 0x10 | part, 0x15], value & 1)
      case 4: performance.gs(frame, [0x40, 0x10 | part, 0x16], 0x34 + value % 24)
      case 5: performance.gs(frame, [0x40, 0x10 | part, 0x19], value)
      case 6: performance.xg(frame, [0x08, part, 0x13], value)
      case 7: performance.gs(frame, [0x40, 0x01, 0x33], value)
      case 8: performance.gs(frame, [0x40, 0x01, 0x38], value % 6)
      case 9: performance.gs(frame, [0x40, 0x00, 0x00], 0, 3 + value % 2, value % 16, 4)
      case 10 where routes: performance.gs(frame, [0x40, 0x10 | part, 0x02], value % 17)
      default: performance.gs(frame, [0x40, 0x10 | part, 0x40], 60 + value % 8, 64, 60)
      }
    }
    return performance
  }

  @Test func `cycle: System Exclusive acts alike in cycles of every length`() throws {
    let frames = 130_000
    func play(_ cycles: @escaping () -> Int) throws -> RenderedSound {
      try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings(.exact, effects: true))
        .play(song(), frames: frames, cycles: cycles)
    }
    let reference = try play { 1024 }
    #expect(reference.left.contains { $0 != 0 })
    for length in [64, 100, 480, 4096] {
      #expect(try play { length } == reference, "\(length)")
    }
    var random = Seeded(3)
    #expect(try play { Int.random(in: 1..<2000, using: &random) } == reference)
  }

  @Test func `onset: System Exclusive acts alike at every frame`() throws {
    func play(_ shift: Int) throws -> RenderedSound {
      try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings(.exact))
        .play(song().shifted(by: shift), frames: 120_000 + shift)
    }
    let reference = try play(0)
    for shift in [1, 33, 1000] { #expect(try play(shift).sums(from: shift) == reference.sums) }
  }

  @Test func `superposition: System Exclusive acts on the parts as on the whole`() throws {
    func play(_ performance: Performance) throws -> RenderedSound {
      try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings(.exact))
        .play(performance, frames: 120_000)
    }
    let song = song(routes: false)
    let whole = try play(song)
    var sum = whole.sums.map { $0.map { _ in Int64(0) } }
    for channel in UInt8(0)..<16 {
      let part = try play(song.only(channel: channel))
      for index in sum.indices {
        for frame in sum[index].indices { sum[index][frame] += part.sums[index][frame] }
      }
    }
    #expect(sum == whole.sums)
  }

  @Test func `threads and recordings of notes do not change the bits`() throws {
    var repeated = Performance()
    repeated.gs(0, [0x40, 0x00, 0x04], 100)
    for index in 0..<20 {
      let frame = index * 4000
      repeated.note(frame, 0, 60 + index % 2, 100, length: 3000)
      if index % 3 == 0 { repeated.gs(frame + 1500, [0x40, 0x00, 0x04], UInt8(index * 6)) }
    }
    for performance in [song(), repeated] {
      var settings = settings(.exact, effects: true)
      let plain = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
        .play(performance, frames: 120_000)
      let recorded = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
      recorded.keepRecordings(performance.recurrence, in: RecordingMemory(bytes: 16 << 20))
      #expect(try recorded.play(performance, frames: 120_000) == plain)
      settings.threads = 2
      let parallel = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
      #expect(try parallel.playInParallel(performance, frames: 120_000) == plain)
    }
  }

  @Test(arguments: [Timing.exact, .stock], [1, 2, 3] as [UInt64])
  func `a chase restores what System Exclusive has set`(timing: Timing, seed: UInt64) throws {
    var random = Seeded(seed)
    var history = Performance()
    switch seed {
    case 1: history.xgOn()
    case 2: history.gm2On()
    default: break
    }
    func value() -> UInt8 { .random(in: 0..<128, using: &random) }
    for _ in 0..<60 {
      let part = UInt8.random(in: 0..<16, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: history.gs(0, [0x40, 0x00, 0x04], 1 | value())
      case 1: history.gs(0, [0x40, 0x00, 0x05], 0x34 + value() % 24)
      case 2: history.gs(0, [0x40, 0x00, 0x06], value())
      case 3: history.gs(0, [0x40, 0x00, 0x00], 0, 4, value() % 16, value() % 16)
      case 4: history.gs(0, [0x40, 0x10 | part, 0x15], value() & 1)
      case 5: history.xg(0, [0x08, part, 0x07], value() & 1)
      case 6: history.gs(0, [0x40, 0x10 | part, 0x16], 0x34 + value() % 24)
      case 7: history.gs(0, [0x40, 0x10 | part, 0x02], value() % 17)
      case 8: history.gs(0, [0x40, 0x10 | part, 0x40 + value() % 12], value())
      case 9: history.xg(0, [0x08, part, 0x09], 6 + value() % 4, value() % 16)
      case 10: history.add(0, .programChange, Int(part), Int(value()))
      default:
        history.add(0, .controlChange, Int(part), [0, 7, 10, 32][Int(value() % 4)], Int(value()))
      }
    }
    var target = InstrumentChase()
    for step in history.steps {
      switch step.content {
      case .channel(let message): target.follow(message)
      case .sysEx(let start, let count):
        history.sysEx[Int(start)..<Int(start + count)].withUnsafeBufferPointer {
          target.follow(sysEx: $0)
        }
      case .system: break
      }
    }
    var chased = Performance()
    // Settings that must not remain.
    chased.gs(0, [0x40, 0x00, 0x04], 3)
    chased.gs(0, [0x40, 0x11, 0x15], 1)
    var present = InstrumentChase()
    [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0].withUnsafeBufferPointer {
      present.follow(sysEx: $0)
    }
    for content in target.difference(from: present) {
      switch content {
      case .channel(let message): chased.add(.init(frame: 0, content: .channel(message)))
      case .sysEx(let bytes): chased.addSysEx(0, bytes)
      case .system: break
      }
    }
    func play(_ performance: Performance) throws -> [Float] {
      var performance = performance
      for channel in 0..<16 {
        performance.note(640 + channel * 2000, channel, 50 + channel, 100, length: 1500)
      }
      return try Instrument.make(soundFont: Fonts.timGM6mb, settings: settings(timing))
        .play(performance, frames: 40_000).left
    }
    let expected = try play(history)
    #expect(expected.contains { $0 != 0 })
    #expect(try play(chased) == expected)
  }
}
