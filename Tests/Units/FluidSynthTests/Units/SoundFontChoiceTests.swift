import FluidSynthEngine
import RenderCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SoundFontChoiceTests {
  private static let frames = 1024

  /// Makes a unit that plays TimGM6mb, and whose SoundFont can be chosen.
  private static func makeUnit(isOffline: Bool = true, _ made: MadeUnits = MadeUnits()) throws
    -> any RenderUnit
  {
    let source = SoundFontChoiceSource(try .open(Fonts.timGM6mb), from: Paths()) { font in
      made.source(InstrumentSource(soundFont: font))
    }
    return try source.makeUnit(
      Format(maximumFrames: frames), for: RenderContext(isOffline: isOffline))
  }

  private static func instrument(_ path: String) throws -> any RenderUnit {
    try InstrumentSource(soundFont: .open(path)).makeUnit(Format(maximumFrames: frames))
  }

  private static var song: UnitPerformance {
    var song = UnitPerformance()
    song.performance.note(100, 0, 60, 100, length: 8900)
    song.performance.note(3000, 0, 67, 100, length: 4000)
    return song
  }

  @Test func `a state selects the SoundFont that it was saved with`() throws {
    let saved = try Self.makeUnit()
    try saved.restore(saved.save(), files: ["soundfont": FileReference(path: Fonts.fluidR3)])
    try saved.parameters?.set("gain", to: -3)
    let files = Dictionary(saved.files.map { ($0.identifier, $0.file) }) { $1 }
    #expect(files == ["soundfont": FileReference(path: Fonts.fluidR3)])

    let restored = try Self.makeUnit()
    try restored.restore(saved.save(), files: files)
    try restored.parameters?.set(try #require(saved.parameters).all)
    let expected = try Self.instrument(Fonts.fluidR3)
    try expected.parameters?.set("gain", to: -3)
    let cycles = { 256 }
    let output = restored.play(Self.song, frames: 12_000, cycles: cycles)
    #expect(output == expected.play(Self.song, frames: 12_000, cycles: cycles))
    let other = try Self.instrument(Fonts.timGM6mb)
    #expect(output != other.play(Self.song, frames: 12_000, cycles: cycles))
  }

  @Test(arguments: [true, false])
  func `a SoundFont chosen while a note sounds fades the note and plays the next`(
    isOffline: Bool
  ) throws {
    var (before, after) = (UnitPerformance(), UnitPerformance())
    before.performance.note(100, 0, 60, 100, length: 100_000)
    after.performance.note(700, 0, 64, 100, length: 100_000)
    let cycles = { 100 }
    let unit = try Self.makeUnit(isOffline: isOffline)
    let first = unit.play(before, frames: 5000, isPrepared: isOffline, cycles: cycles)
    try unit.restore(unit.save(), files: ["soundfont": FileReference(path: Fonts.fluidR3)])
    let second = unit.play(after, frames: 5000, isPrepared: isOffline, cycles: cycles)

    let old = try Self.instrument(Fonts.timGM6mb)
    #expect(first == old.play(before, frames: 5000, isPrepared: isOffline, cycles: cycles))
    let fading = old.play(
      UnitPerformance(), frames: 512, isPrepared: false, cycles: cycles)
    let new = try Self.instrument(Fonts.fluidR3)
    var expected = new.play(after, frames: 5000, isPrepared: isOffline, cycles: cycles)
    #expect(fading[0].contains { abs($0) > 0.001 })
    for channel in 0..<2 {
      for frame in 0..<512 {
        expected[channel][frame] += fading[channel][frame] * (Float(512 - frame) / 512)
      }
    }
    #expect(second == expected)
  }

  @Test(arguments: [true, false])
  func `silence ends notes and reverb within 512 frames, and keeps the settings`(
    isOffline: Bool
  ) throws {
    let unit = try Self.makeUnit(isOffline: isOffline)
    try unit.parameters?.set(["gain": -3, "preset.program": 19])
    var chord = UnitPerformance()
    for key in [48, 60, 64, 67] { chord.performance.note(0, 0, key, 120, length: 100_000) }
    let cycles = { 256 }
    let before = unit.play(chord, frames: 9600, isPrepared: isOffline, cycles: cycles)
    #expect(before[0].suffix(100).contains { abs($0) > 0.001 })
    try #require(unit as? any SilenceableUnit).silence()
    let after = unit.play(UnitPerformance(), frames: 4800, isPrepared: isOffline, cycles: cycles)
    // The sound fades, and what remains is the noise of the effects of a new unit: -150 dBFS.
    let jumps = zip(after[0], after[0].dropFirst()).map { abs($0 - $1) }
    let usual = zip(before[0].suffix(2000), before[0].suffix(1999)).map { abs($0 - $1) }
    #expect(try #require(jumps.max()) <= 1.1 * #require(usual.max()))
    #expect(after[0].dropFirst(512).allSatisfy { abs($0) < 1e-6 })
    #expect(unit.parameters?.all["gain"] == -3)
    #expect(unit.parameters?.all["preset.program"] == 19)
    let note = unit.play(Self.song, frames: 4800, isPrepared: isOffline, cycles: cycles)
    #expect(note[0].contains { abs($0) > 0.001 })
  }

  @Test func `a SoundFont that is missing changes nothing`() throws {
    let (unit, other) = (try Self.makeUnit(), try Self.makeUnit())
    #expect(throws: UnitFileError.self) {
      try unit.restore([], files: ["soundfont": FileReference(path: "/missing.sf2")])
    }
    #expect(unit.files == other.files)
    #expect(
      unit.play(Self.song, frames: 5000) == other.play(Self.song, frames: 5000))
  }

  @Test func `a unit is released after its fade`() throws {
    let made = MadeUnits()
    let unit = try Self.makeUnit(isOffline: false, made)
    _ = unit.play(Self.song, frames: 2000, isPrepared: false)
    try unit.restore([], files: ["soundfont": FileReference(path: Fonts.fluidR3)])
    try unit.restore([], files: ["soundfont": FileReference(path: Fonts.bundled)])
    // The second was never rendered.
    #expect(made.existing == [true, false, true])
    _ = unit.play(UnitPerformance(), frames: 256, isPrepared: false, cycles: { 256 })
    unit.performDeferredWork()
    #expect(made.existing == [true, false, true])
    _ = unit.play(UnitPerformance(), frames: 256, isPrepared: false, cycles: { 256 })
    unit.performDeferredWork()
    #expect(made.existing == [false, false, true])
  }

  @Test func `SoundFonts are chosen while another thread renders`() throws {
    let made = MadeUnits()
    let unit = try Self.makeUnit(isOffline: false, made)
    let isDone = Flag()
    let fonts = [Fonts.timGM6mb, Fonts.bundled]
    let thread = TestThread {
      while !isDone.isRaised {
        _ = unit.play(Self.song, frames: 2000, isPrepared: false, cycles: { 64 })
      }
    }
    for round in 0..<20 {
      try unit.restore([], files: ["soundfont": FileReference(path: fonts[round % 2])])
      unit.performDeferredWork()
    }
    isDone.raise()
    thread.join()
    _ = unit.play(UnitPerformance(), frames: 1024, isPrepared: false, cycles: { 64 })
    unit.performDeferredWork()
    #expect(made.existing.filter { $0 }.count == 1)
  }
}

/// SoundFonts by their paths.
private struct Paths: SoundFontLibrary {
  func open(_ reference: FileReference) throws(UnitFileError) -> SoundFont {
    do throws(InstrumentError) {
      return try SoundFont.open(reference.path)
    } catch {
      throw UnitFileError(error.description)
    }
  }

  func reference(to soundFont: SoundFont) -> FileReference { FileReference(path: soundFont.path) }
}

/// Which of the units that a source has made still exist.
private final class MadeUnits: Sendable {
  private struct Reference {
    weak var unit: (any RenderUnit)?
  }
  private let units = Mutex<[Reference]>([])

  var existing: [Bool] { units.withLock { $0.map { $0.unit != nil } } }

  func source(_ source: any RenderUnitSource) -> any RenderUnitSource {
    Source(source: source, made: self)
  }

  private struct Source: RenderUnitSource {
    let source: any RenderUnitSource
    let made: MadeUnits

    func makeUnit(_ format: Format) throws -> any RenderUnit {
      let unit = try source.makeUnit(format)
      made.units.withLock { $0.append(Reference(unit: unit)) }
      return unit
    }
  }
}
