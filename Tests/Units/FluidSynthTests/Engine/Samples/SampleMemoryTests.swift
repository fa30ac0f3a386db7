import Foundation
import Glibc
import LocalSystem
import TestSupport
import Testing
import noisefont

@testable import FluidSynthEngine
@testable import RenderCore

/// Tests of SoundFonts whose samples are loaded on demand.
@Suite(.timeLimit(.minutes(5))) struct SampleMemoryTests {
  @Test(arguments: Fonts.all, [Timing.exact, .stock])
  func `sounds, bit for bit, like a font that was loaded as a whole`(
    _ path: String, _ timing: Timing
  ) throws {
    let folder = try FontFolder()
    let font = try Data(contentsOf: URL(filePath: path))
    let performance = busyPerformance(seed: 11, seconds: 1)
    let whole = try folder.whole(font).play(performance, timing)
    let piecewise = try folder.piecewise(font)
    let isSame = try piecewise.play(performance, timing) == whole
    #expect(isSame)
    #expect(try piecewise.sharedTables().samples != nil)
  }

  @Test(arguments: [false, true], [Timing.exact, .stock])
  func `has the bits of a whole font with 16-bit and 24-bit samples, looped and not`(
    _ has24Bits: Bool, _ timing: Timing
  ) throws {
    let folder = try FontFolder()
    let font = NoiseSoundFont(presets: 8, has24Bits: has24Bits).bytes()
    let performance = busyPerformance(seed: 12, seconds: 1)
    let whole = try folder.whole(font).play(performance, timing)
    #expect(whole.left.contains { $0 != 0 })
    let isSame = try folder.piecewise(font).play(performance, timing) == whole
    #expect(isSame)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `has the bits of a whole font if each cycle waits until it is ready`(_ timing: Timing)
    throws
  {
    let folder = try FontFolder()
    let bytes = NoiseSoundFont(presets: 8).bytes()
    var performance = Performance()
    for number in 0..<24 {
      // A program and a bank change in the cycle of the note, and a system reset.
      performance.add(500 * number, .controlChange, number % 4, 0, number % 3)
      performance.add(500 * number, .programChange, number % 4, number * 5 % 8)
      performance.note(500 * number, number % 4, 40 + 3 * number, 100, length: 900)
      if number == 12 { performance.addSysEx(500 * number + 200, [0x7E, 0x7F, 0x09, 0x01]) }
    }
    let whole = try folder.whole(bytes).play(performance, timing)
    let instrument = try Instrument.make(
      soundFont: folder.piecewise(bytes),
      settings: InstrumentSettings(timing: timing, ownsPresets: false))
    var waits = 0
    let waited = try instrument.play(performance, frames: 40_000) { cycle in
      while !instrument.engine.isReady(for: cycle) {
        waits += 1
        try instrument.supply()
      }
    }
    let isSame = waited == whole
    #expect(isSame && waits > 0)
    #expect(waited.statistics.unloadedNotes == 0)
  }

  @Test(arguments: [false, true])
  func `the first note after a restored state has its samples, offline and with waits`(
    _ waits: Bool
  ) throws {
    let folder = try FontFolder()
    let bytes = NoiseSoundFont(presets: 8).bytes()
    var program = UnitPerformance()
    program.performance.add(0, .programChange, 3, 5)
    var note = UnitPerformance()
    note.performance.note(0, 3, 60, 100, length: 2000)
    func play(_ font: SoundFont, waits: Bool) throws -> [[Float]] {
      let first = try InstrumentUnit(soundFont: font, settings: InstrumentSettings())
      _ = first.play(program, frames: 64)
      let second = try InstrumentUnit(soundFont: font, settings: InstrumentSettings())
      try second.restore(first.save())
      return second.play(note, frames: 4096, isPrepared: !waits, cycles: { 1024 }) {
        renderer, cycle in
        while !renderer.isReady(for: &cycle) { second.performDeferredWork() }
        _ = renderer.render(&cycle)
      }
    }
    let whole = try play(folder.whole(bytes), waits: false)
    #expect(whole[0].contains { $0 != 0 })
    #expect(try play(folder.piecewise(bytes), waits: waits) == whole)
  }

  @Test func `keeps only the played samples in memory`() throws {
    let folder = try FontFolder()
    let font = try folder.piecewise(NoiseSoundFont(presets: 20, frames: 500_000).bytes())
    let instrument = try ExactInstrument(soundFont: font, settings: InstrumentSettings())
    let memory = try #require(font.memory)
    #expect(memory.residentBytes < 100_000)
    var performance = Performance()
    performance.add(0, .programChange, 0, 7)
    performance.note(100, 0, 60, 100, length: 1000)
    _ = try instrument.play(performance, frames: 4096)
    #expect(1_000_000..<1_100_000 ~= memory.residentBytes)
    // The other half of the keyboard has another sample.
    performance.note(100, 0, 64, 100, length: 1000)
    _ = try instrument.play(performance, frames: 4096)
    #expect(2_000_000..<2_200_000 ~= memory.residentBytes)
  }

  @Test(.disabled(if: Sanitizer.isLoaded, "its mlock and munlock do nothing"))
  func `memory that malloc reuses is returned, and unlocked when it is freed`() throws {
    let folder = try FontFolder()
    let frames = 500_000
    let path = try folder.path(NoiseSoundFont(presets: 1, frames: frames).bytes())
    let memory = try #require(try SampleMemory(path, FileVersion(ofSoundFont: path), smallest: 0))
    let size = 4 * frames + (1 << 20)
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let buffer = try #require(mapped != MAP_FAILED ? mapped : nil)
    defer { munmap(buffer, size) }
    memset(buffer, 1, size)
    let middle = buffer + size / 2 / page * page
    try #require(mlock(middle, page) == 0)
    memory.setBuffer(buffer, for: .samples)
    #expect(memory.residentBytes < 100_000)
    try #require(mlock(middle, page) == 0)
    #expect(madvise(middle, page, MADV_DONTNEED) != 0)
    memory.unlock()
    #expect(madvise(middle, page, MADV_DONTNEED) == 0)
  }

  @Test func `a sample beyond the sample data sounds as in a whole font`() throws {
    let folder = try FontFolder()
    var bytes = NoiseSoundFont(presets: 2).bytes()
    let headers = try #require(bytes.firstRange(of: Array("shdr".utf8))).upperBound + 4
    // Start, end, and both ends of the loop of the first sample, of 4 bytes each.
    for field in 0..<4 { bytes[headers + 20 + 4 * field + 3] = 0x40 + UInt8(field) }
    let file = try SampleFile(opening: folder.path(bytes))
    defer { file.close() }
    let outline = try #require(SoundFontOutline(file))
    #expect(outline.reach(of: outline.tables.samples[0]).isEmpty)
    #expect(!outline.reach(of: outline.tables.samples[1]).isEmpty)
    let performance = busyPerformance(seed: 14, seconds: 1)
    let whole = try folder.whole(bytes).play(performance, .exact)
    let isSame = try folder.piecewise(bytes).play(performance, .exact) == whole
    #expect(isSame)
  }

  @Test func `instruments that share a font share its samples, with shared or own presets`()
    throws
  {
    let folder = try FontFolder()
    let bytes = NoiseSoundFont(presets: 8).bytes()
    let performance = busyPerformance(seed: 13, seconds: 1)
    let whole = try folder.whole(bytes).play(performance, .exact)
    let font = try folder.piecewise(bytes)
    let first = try ExactInstrument(
      soundFont: font, settings: InstrumentSettings(ownsPresets: false))
    let isFirstSame = try first.play(performance, frames: 40_000) == whole
    #expect(isFirstSame)
    let room = try #require(font.memory?.residentBytes)
    // The samples are already in memory, but the second FluidSynth must still be informed.
    let second = try ExactInstrument(soundFont: font, settings: InstrumentSettings())
    let isSecondSame = try second.play(performance, frames: 40_000) == whole
    #expect(isSecondSame)
    #expect(font.memory?.residentBytes == room)
  }

  @Test func `a file that changes while it is open is an error, and the change is not played`()
    throws
  {
    let folder = try FontFolder()
    let font = try folder.piecewise(NoiseSoundFont(presets: 8).bytes())
    let instrument = try ExactInstrument(soundFont: font, settings: InstrumentSettings())
    var performance = Performance()
    performance.note(100, 0, 60, 100, length: 1000)
    let before = try instrument.play(performance, frames: 4096)
    #expect(truncate(font.path, 5000) == 0)
    // Samples in memory still play.
    #expect(try instrument.play(performance, frames: 4096).left.contains { $0 != 0 })
    #expect(before.left.contains { $0 != 0 })
    performance.add(0, .programChange, 0, 3)
    #expect(
      throws: InstrumentError.soundFontUnreadable(
        path: font.path, reason: "the file has changed since it was opened")
    ) { try instrument.play(performance, frames: 4096) }
  }

  @Test func `a file that is replaced continues to play`() throws {
    let folder = try FontFolder()
    let bytes = NoiseSoundFont(presets: 8).bytes()
    let performance = busyPerformance(seed: 14, seconds: 1)
    let whole = try folder.whole(bytes).play(performance, .exact)
    let font = try folder.piecewise(bytes)
    let instrument = try ExactInstrument(
      soundFont: font, settings: InstrumentSettings(ownsPresets: false))
    try Data("another".utf8).write(to: URL(filePath: font.path), options: .atomic)
    let isSame = try instrument.play(performance, frames: 40_000) == whole
    #expect(isSame)
  }

  @Test func `a damaged font is refused or plays like one that was loaded as a whole`() throws {
    let folder = try FontFolder()
    let font = NoiseSoundFont(presets: 3, frames: 300).bytes()
    let tables = font.count - 1200
    var random = Seeded(15)
    var performance = Performance()
    for program in 0..<3 {
      performance.add(program * 1000, .programChange, 0, program)
      for key in [40, 80] { performance.note(program * 1000 + key, 0, key, 100, length: 700) }
    }
    var played = 0
    for _ in 0..<150 {
      var damaged = font
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(
          in: Bool.random(using: &random) ? 0..<120 : tables..<font.count, using: &random)
        damaged[place] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { damaged.removeLast(2 * place(&random)) }
      let whole = try? folder.whole(damaged).play(performance, .exact)
      let piecewise = try? folder.piecewise(damaged).play(performance, .exact)
      let isSame = whole == piecewise
      #expect(isSame)
      if whole != nil { played += 1 }
    }
    #expect(10..<140 ~= played)
  }

  private func place(_ random: inout Seeded) -> Int { Int.random(in: 1..<500, using: &random) }
}

/// Tests of notes that begin before their samples are loaded.
@Suite(.timeLimit(.minutes(5))) struct WaitingNoteTests {
  private func instrument(_ timing: Timing = .exact) throws -> Instrument {
    let folder = try FontFolder()
    let font = try folder.piecewise(NoiseSoundFont(presets: 8).bytes())
    let settings = InstrumentSettings(timing: timing, effects: .off)
    let instrument = try Instrument.make(soundFont: font, settings: settings)
    try (instrument as? ExactInstrument)?.reserveLanes(8)
    return instrument
  }

  private let note = ChannelMessage(.noteOn, channel: 0, 60, 100)
  private let release = ChannelMessage(.noteOff, channel: 0, 60, 0)
  private func program(_ number: UInt8) -> ChannelMessage {
    ChannelMessage(.programChange, channel: 0, number, 0)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a note whose samples are not loaded begins when they are`(_ timing: Timing) throws {
    let late = try instrument(timing)
    try late.supply()
    #expect(late.isSilent([program(5), note]))
    #expect(late.needsSupply)
    #expect(late.statistics.unloadedNotes == 1)
    #expect(late.isSilent([]))
    while late.needsSupply { try late.supply() }
    let sound = late.cycle([])
    #expect(late.statistics.unloadedNotes == 1 && late.statistics.silentNotes == 0)

    let ready = try instrument(timing)
    _ = ready.cycle([program(5)])
    while ready.needsSupply { try ready.supply() }
    _ = ready.cycle([])
    let isSame = ready.cycle([note]) == sound
    #expect(isSame)
    #expect(ready.statistics.unloadedNotes == 0)
  }

  @Test(arguments: [Timing.exact, .stock])
  func
    `a note that ends before its samples are loaded is silent, and so is one of a deselected preset`(
      _ timing: Timing
    ) throws
  {
    for message in [release, program(2), ChannelMessage(.controlChange, channel: 0, 120, 0)] {
      let instrument = try instrument(timing)
      try instrument.supply()
      #expect(instrument.isSilent([program(5), note]))
      #expect(instrument.isSilent([message]))
      while instrument.needsSupply { try instrument.supply() }
      #expect(instrument.isSilent([]))
    }
  }

  @Test(arguments: [Timing.exact, .stock])
  func `a program change requests its samples before a note`(_ timing: Timing) throws {
    let instrument = try instrument(timing)
    // The samples of the channels' initial programs.
    #expect(instrument.needsSupply)
    while instrument.needsSupply { try instrument.supply() }
    #expect(!instrument.isSilent([note]))
    #expect(!instrument.needsSupply)
    _ = instrument.cycle([program(5)])
    #expect(instrument.needsSupply)
  }
}

extension Instrument {
  /// Renders a cycle of 64 frames.
  fileprivate func cycle(_ messages: [ChannelMessage]) -> [Float] {
    let events = messages.map { MIDIEvent(offset: 0, content: .channel($0)) }
    var left = [Float](repeating: .nan, count: 64)
    var right = left
    events.withUnsafeBufferPointer {
      render(
        MIDICycle(frames: 64, events: $0, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
        left: &left, right: &right)
    }
    return left + right
  }

  fileprivate func isSilent(_ messages: [ChannelMessage]) -> Bool {
    cycle(messages).allSatisfy { abs($0) < 1e-6 }
  }
}
