import Foundation
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct SoundFontTests {
  @Test func `an open file is opened once, under any name`() throws {
    let folder = try Folder()
    let file = try folder.copy(Fonts.timGM6mb, as: "a.sf2")
    let other = folder.url.appending(path: "b.sf2")
    try FileManager.default.createSymbolicLink(at: other, withDestinationURL: file)
    let font = try SoundFont.open(file.path)
    #expect(try SoundFont.open(file.path) === font)
    #expect(try SoundFont.open(other.path) === font)
    #expect(try SoundFont.open(Fonts.bundled) !== font)
  }

  @Test func `a new file of the same name is another SoundFont`() throws {
    let folder = try Folder()
    let file = try folder.copy(Fonts.timGM6mb, as: "a.sf2")
    let font = try SoundFont.open(file.path)
    _ = try folder.copy(Fonts.bundled, as: "a.sf2")
    #expect(try SoundFont.open(file.path) !== font)
    // The opened file no longer exists, and no other is loaded in its place.
    #expect(throws: InstrumentError.self) { try font.sharedTables() }
  }

  @Test func `it is loaded once for all users, and freed with the last of them`() throws {
    let folder = try Folder()
    let file = try folder.copy(Fonts.timGM6mb, as: "a.sf2").path
    weak var font: SoundFont?
    do {
      var settings = InstrumentSettings(ownsPresets: false)
      let exact = try ExactInstrument(soundFont: file, settings: settings)
      font = try SoundFont.open(file)
      let tables = try font?.sharedTables()
      settings.timing = .stock
      let stock = try StockInstrument(soundFont: file, settings: settings)
      #expect(try font?.sharedTables().font == tables?.font)
      withExtendedLifetime((exact, stock)) {}
    }
    // Other tests open fonts meanwhile, which looks at all that are open.
    #expect(eventually { font == nil })
  }

  @Test func `the last user may go while others are opened`() throws {
    let folder = try Folder()
    let paths = try (0..<2).map { try folder.copy(Fonts.bundled, as: "\($0).sf2").path }
    let isDone = Mutex(false)
    // Each opening looks at all open SoundFonts, of which the last user of one goes meanwhile.
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      if number == 0 {
        for _ in 0..<300 { _ = try? SoundFont.open(paths[0]).presets() }
        isDone.withLock { $0 = true }
      } else {
        while !isDone.withLock({ $0 }) { _ = try? SoundFont.open(paths[1]) }
      }
    }
  }

  @Test func `many instruments at once play from one SoundFont with the bits of each alone`() throws
  {
    let font = try SoundFont.open(Fonts.timGM6mb)
    let players = (0..<8).map {
      Player(font, busyPerformance(seed: $0, seconds: 1), isExact: $0 % 4 != 3, frames: 60_000)
    }
    let alone = try players.map { try $0.play() }
    #expect(Set(alone.map(\.left)).count == 8)
    try together(rounds: 6, of: players) { index, recording in
      #expect(recording == alone[index], "player \(index)")
    }
  }

  @Test func `legato passages on shared presets do not change others' notes`() throws {
    let font = try SoundFont.open(Fonts.timGM6mb)
    // All play one preset: half of them glide up and down continuously, the others repeat plain notes.
    let players = (0..<4).map { index in
      Player(font, index % 2 == 0 ? trills : repetitions, isExact: false, frames: 20_000)
    }
    let alone = try players.map { try $0.play() }
    try together(rounds: 20, of: players) { index, recording in
      #expect(recording == alone[index], "player \(index)")
    }
  }
}

/// Plays a performance on a SoundFont, in either timing.
private struct Player: Sendable {
  let font: SoundFont
  let performance: Performance
  let isExact: Bool
  let frames: Int

  init(_ font: SoundFont, _ performance: Performance, isExact: Bool, frames: Int) {
    self.font = font
    self.performance = performance
    self.isExact = isExact
    self.frames = frames
  }

  func play() throws -> RenderedSound {
    let settings = InstrumentSettings(ownsPresets: false)
    if isExact {
      return try ExactInstrument(soundFont: font, settings: settings)
        .play(performance, frames: frames, cycles: { 256 })
    }
    return try StockInstrument(soundFont: font, settings: settings)
      .play(performance, frames: frames, cycles: { 256 })
  }
}

private func together(
  rounds: Int, of players: [Player], _ check: @escaping @Sendable (Int, RenderedSound) -> Void
) throws {
  let failure = Mutex<(any Error)?>(nil)
  DispatchQueue.concurrentPerform(iterations: rounds * players.count) { turn in
    let index = turn % players.count
    do { check(index, try players[index].play()) } catch { failure.withLock { $0 = error } }
  }
  if let error = failure.withLock({ $0 }) { throw error }
}

private let trills: Performance = {
  var performance = Performance()
  for channel in 0..<4 {
    performance.add(0, .programChange, channel, 13)
    performance.add(0, .controlChange, channel, 68, 127)
    performance.note(0, channel, 60, 100, length: 20_000)
    for i in 0..<400 { performance.note(100 + i * 50 + channel, channel, 62, 100, length: 25) }
  }
  return performance
}()

private let repetitions: Performance = {
  var performance = Performance()
  for channel in 0..<8 { performance.add(0, .programChange, channel, 13) }
  for i in 0..<2000 { performance.note(i * 10, i % 8, 50 + i % 20, 100, length: 5) }
  return performance
}()

private struct Folder: ~Copyable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "SoundFontTests-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Copies a file, and replaces an existing file of that name.
  func copy(_ path: String, as name: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(contentsOf: URL(filePath: path)).write(to: file, options: .atomic)
    return file
  }
}
