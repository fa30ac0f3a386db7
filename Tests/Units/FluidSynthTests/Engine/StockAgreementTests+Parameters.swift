import RenderCore
import Testing

// Cases in which versions of FluidSynth differ: both timings must behave like the installed version.
extension StockAgreementTests {
  @Test func `data entry by controller 38 agrees`() throws {
    var p = Performance()
    p.add(0, .programChange, 0, 19)
    p.note(0, 0, 60, 100, length: 60_000)
    // Fine tuning: first both halves, then the lower half alone.
    p.control(6400, 0, [(101, 0), (100, 1), (6, 70), (38, 20)])
    p.note(9600, 0, 64, 100, length: 20_000)
    p.control(19_200, 0, [(38, 120)])
    p.note(25_600, 0, 67, 100, length: 20_000)
    // A filter's cutoff with the lower half last, then again for the next note.
    p.control(38_400, 0, [(99, 120), (98, 8), (6, 50), (38, 10)])
    p.note(44_800, 0, 72, 100, length: 20_000)
    #expect(try difference(p) < -100)
  }

  @Test(arguments: [50, 99, 127])
  func `bend ranges with cents agree`(cents: Int) throws {
    var p = Performance()
    p.control(0, 0, [(101, 0), (100, 0), (6, 2), (38, cents)])
    p.add(64, .pitchBend, 0, 0, 127)
    p.note(640, 0, 60, 100, length: 30_000)
    // While the note sounds, with the lower half first.
    p.control(12_800, 0, [(38, 25), (6, 7)])
    p.note(19_200, 0, 64, 100, length: 10_000)
    // The next value entered must not keep the old cents.
    p.control(38_400, 0, [(101, 0), (100, 0), (6, 12)])
    p.note(44_800, 0, 67, 100, length: 10_000)
    #expect(try difference(p) < -100)
  }

  @Test(arguments: 0...26)
  func `the AWE32's parameters agree`(effect: Int) throws {
    var p = Performance()
    p.add(0, .programChange, 0, 48)
    p.note(0, 0, 60, 100, length: 30_000)
    p.control(6400, 0, [(99, 127), (98, effect), (6, 64), (38, 60)])
    p.note(9600, 0, 64, 100, length: 15_000)
    // Cutoff and resonance, in either order, with the tested parameter in between.
    p.control(19_200, 0, [(98, 22), (38, 40), (98, 21), (38, 90)])
    p.control(22_400, 0, [(98, effect), (38, 100), (98, 22), (38, 120)])
    p.note(25_600, 0, 67, 100, length: 15_000)
    // Reset All Controllers removes them, also from lanes that have played with them.
    p.add(48_000, .controlChange, 0, 121, 0)
    for i in 0..<4 { p.note(54_400 + i * 640, 0, 60 + i, 100, length: 10_000) }
    #expect(try difference(p) < -100)
  }

  @Test func `vibrato by the parameters of GS agrees`() throws {
    var p = Performance()
    // GS reset for all devices.
    p.addSysEx(0, [0x41, 0x7F, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41])
    p.add(640, .programChange, 0, 48)
    p.note(1280, 0, 60, 100, length: 40_000)
    for (i, parameter) in [8, 9, 10].enumerated() {
      p.control(6400 + i * 6400, 0, [(99, 1), (98, parameter), (6, 100)])
      p.note(9600 + i * 6400, 0, 64 + i, 100, length: 20_000)
    }
    #expect(try difference(p) < -100)
  }

  @Test func `a GS drum part agrees`() throws {
    var p = Performance()
    p.addSysEx(0, [0x41, 0x7F, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41])
    p.control(640, 2, [(7, 50), (1, 127), (64, 127)])
    p.note(1280, 2, 60, 100, length: 3000)
    // Part 3, which is channel 3.
    p.addSysEx(6400, [0x41, 0x7F, 0x42, 0x12, 0x40, 0x13, 0x15, 1, 0x17])
    for i in 0..<6 { p.note(9600 + i * 3200, 2, [36, 38, 46, 42, 49, 46][i], 100, length: 640) }
    #expect(try difference(p) < -100)
  }

  @Test(arguments: [0, 9])
  func `modulation depth agrees`(channel: Int) throws {
    var p = Performance()
    p.add(0, .programChange, channel, channel == 9 ? 0 : 48)
    p.add(0, .controlChange, channel, 1, 127)
    p.note(640, channel, 60, 100, length: 40_000)
    p.control(6400, channel, [(101, 0), (100, 5), (6, 2), (38, 32)])
    p.note(9600, channel, 64, 100, length: 20_000)
    p.control(19_200, channel, [(38, 96)])
    p.add(25_600, .controlChange, channel, 121, 0)
    p.add(25_600, .controlChange, channel, 1, 127)
    p.note(28_800, channel, 67, 100, length: 20_000)
    p.addSysEx(64_000, [0x7E, 0x7F, 0x09, 0x01])
    p.add(64_640, .controlChange, channel, 1, 127)
    p.note(65_280, channel, 67, 100, length: 20_000)
    #expect(try difference(p) < -100)
  }

  /// Separate notes, with the pedal up and down.
  @Test(arguments: [nil, 126, 68])
  func `portamento between separate notes agrees`(mono: Int?) throws {
    var p = Performance()
    p.add(0, .programChange, 0, 80)
    if let mono { p.add(0, .controlChange, 0, mono, mono == 126 ? 1 : 127) }
    p.add(0, .controlChange, 0, 5, 40)
    p.note(64, 0, 48, 100, length: 3000)
    p.add(6400, .controlChange, 0, 65, 127)
    for i in 0..<6 { p.note(9600 + i * 9600, 0, [60, 55, 67, 67, 50, 72][i], 100, length: 4000) }
    p.add(70_400, .controlChange, 0, 65, 0)
    p.note(73_600, 0, 40, 100, length: 3000)
    p.add(80_000, .controlChange, 0, 65, 127)
    // After a passage whose last two keys overlap and whose lower key ends last.
    p.note(83_200, 0, 64, 100, length: 9600)
    p.note(86_400, 0, 76, 100, length: 3200)
    p.note(96_000, 0, 52, 100, length: 4800)
    #expect(try difference(p) < -100)
  }

  @Test func `the lower half of a portamento time acts on every channel alike`() throws {
    var p = Performance()
    for channel in 0..<2 {
      p.add(0, .programChange, channel, 80)
      p.control(0, channel, [(5, 30), (65, 127)])
    }
    func slide(_ begin: Int) {
      p.note(begin, 0, 48, 100, length: 12_800)
      p.note(begin + 9600, 0, 60, 100, length: 9600)
    }
    slide(640)
    p.add(25_600, .controlChange, 1, 37, 64)
    slide(28_800)
    p.addSysEx(64_000, [0x7E, 0x7F, 0x09, 0x01])
    p.add(64_640, .programChange, 0, 80)
    p.control(64_640, 0, [(5, 30), (65, 127)])
    slide(65_280)
    #expect(try difference(p) < -100)
  }

  @Test func `a tuning that no channel has selected agrees`() throws {
    var p = Performance()
    for channel in 0..<2 { p.add(0, .programChange, channel, 19) }
    p.note(0, 0, 60, 100, length: 40_000)
    // Realtime tuning of a note of program 0, which some versions select in every channel by default.
    p.addSysEx(6400, [0x7F, 0x7F, 0x08, 0x02, 0, 1, 60, 61, 64, 0])
    p.note(12_800, 1, 60, 100, length: 10_000)
    // An octave tuning for later notes, of channel 2 only.
    p.addSysEx(25_600, [0x7E, 0x7F, 0x08, 0x08, 0, 0, 2] + (0..<12).map { UInt8(34 + $0 * 5) })
    p.note(28_800, 1, 61, 100, length: 10_000)
    p.note(28_800, 0, 62, 100, length: 10_000)
    p.addSysEx(51_200, [0x7E, 0x7F, 0x09, 0x01])
    for i in 0..<4 { p.note(54_400 + i * 3200, i % 2, 60 + i, 100, length: 10_000) }
    #expect(try difference(p) < -100)
  }
}

extension Performance {
  /// Adds controllers in order, 64 frames apart.
  fileprivate mutating func control(_ frame: Int, _ channel: Int, _ messages: [(Int, Int)]) {
    for (i, message) in messages.enumerated() {
      add(frame + i * 64, .controlChange, channel, message.0, message.1)
    }
  }
}
