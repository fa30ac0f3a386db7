import AudioFile
import FluidSynthEngine
import MIDIFile
import TestSupport
import Testing

@testable import OfflineRenderer

private func render(
  _ music: StandardMIDIFile = phrase, in folder: TemporaryFolder, font: String = bundledSoundFont,
  _ change: (inout RenderSettings) -> Void = { _ in },
  isCancelled: () -> Bool = { false }, accept: (SongReport) -> Bool = { _ in true }
) throws(RenderError) -> SongReport {
  var settings = RenderSettings()
  change(&settings)
  guard let file = try? folder.file() else { throw .cancelled }
  let opened: SoundFont
  do throws(InstrumentError) { opened = try .open(font) } catch { throw .instrument(error) }
  return try SongRenderer(soundFont: opened, settings: settings).render(
    music, to: file, isCancelled: isCancelled, accept: accept)
}

@Test func `reports what was played`() throws {
  let folder = try TemporaryFolder()
  let report = try render(in: folder)
  #expect(report.statistics.notes == 4 && report.statistics.inexactOnsets == 0)
  #expect(report.audio.file.frames > 30_000 && report.audio.file.peak > 0.001)
  #expect(report.substitutions == [] && report.unreleasedNotes == 0 && !report.isTailCut)
  #expect(try folder.samples().count == 2 * report.audio.file.frames)
}

@Test func `the bits depend neither on threads nor on what was rendered before`() throws {
  let folder = try TemporaryFolder()
  let hash = try render(in: folder).audio.hash
  for threads in [1, 2, 3, 8] {
    #expect(try render(in: folder) { $0.threads = threads }.audio.hash == hash)
  }
  #expect(try render(in: folder) { $0.gain = 0.1 }.audio.hash != hash)
}

@Test func `songs rendered side by side are as if they had been alone`() async throws {
  let folder = try TemporaryFolder()
  let expected = try render(in: folder).audio.hash
  let hashes = try await withThrowingTaskGroup(of: String.self) { group in
    for _ in 0..<4 {
      group.addTask { try render(in: TemporaryFolder()).audio.hash }
    }
    return try await group.reduce(into: []) { $0.append($1) }
  }
  #expect(hashes == Array(repeating: expected, count: 4))
}

@Test(arguments: [(0, 1), (1, 4097), (12_345, 12_346), (11_000, 29_999), (29_999, 30_000)])
func `a part has the frames of the whole, bit for bit`(start: Int, end: Int) throws {
  let folder = try TemporaryFolder()
  _ = try render(in: folder) { $0.tail = .exact }
  let whole = try folder.samples()
  _ = try render(in: folder) {
    $0.tail = .exact
    $0.start = .seconds(Double(start) / 48_000)
    $0.end = .seconds(Double(end) / 48_000)
  }
  #expect(try folder.samples().elementsEqual(whole[2 * start..<2 * end]))
}

@Test func `a tail of silence is a whole one without its end`() throws {
  let folder = try TemporaryFolder()
  _ = try render(in: folder)
  let trimmed = try folder.samples()
  _ = try render(in: folder) { $0.tail = .seconds(10) }
  let whole = try folder.samples()
  #expect(trimmed.count > 60_000 && trimmed.elementsEqual(whole[..<trimmed.count]))
  #expect(trimmed.suffix(2).contains { abs($0) > SilenceTrimmer.threshold })
  #expect(whole[trimmed.count...].allSatisfy { abs($0) <= SilenceTrimmer.threshold })
}

@Test(arguments: [RenderSettings.Tail.exact, .silence, .bar, .seconds(0.5)])
func `notes that never end are counted with every tail, but not in a part`(
  tail: RenderSettings.Tail
) throws {
  let folder = try TemporaryFolder()
  let music = song([on(0, 60), on(10, 62), off(20_000, 62)], end: 20_000)
  #expect(try render(music, in: folder) { $0.tail = tail }.unreleasedNotes == 1)
  let part = try render(music, in: folder) {
    $0.tail = tail
    $0.end = 0.1
  }
  #expect(part.unreleasedNotes == 0)
}

@Test func `reports whether the longest tail was too short`() throws {
  let folder = try TemporaryFolder()
  let cut = try render(in: folder) { $0.maximumTail = 0.05 }
  #expect(cut.isTailCut && cut.audio.file.frames == 32_400)
  #expect(try !render(song([], end: 9000), in: folder) { $0.maximumTail = 0.05 }.isTailCut)
}

@Test func `an empty song is an empty file`() throws {
  let folder = try TemporaryFolder()
  let report = try render(song([]), in: folder)
  #expect(report.audio.file.frames == 0 && report.statistics.notes == 0)
  #expect(try folder.samples() == [])
}

@Test func `a cancelled or failed render leaves no file`() throws {
  let folder = try TemporaryFolder()
  let cancelled = #expect(throws: RenderError.self) {
    try render(in: folder, isCancelled: { true })
  }
  guard case .cancelled = cancelled else { throw cancelled ?? .cancelled }
  #expect(folder.names == [])

  let refused = #expect(throws: RenderError.self) {
    try render(in: folder, { $0.gain = 9 }, accept: { $0.audio.file.clippedFrames == 0 })
  }
  guard case .refused(let report) = refused else { throw refused ?? .cancelled }
  #expect(report.audio.file.clippedFrames > 0 && report.audio.file.peak > 1)
  #expect(folder.names == [])

  let missing = #expect(throws: RenderError.self) { try render(in: folder, font: "/none.sf2") }
  guard case .instrument(.soundFontUnreadable) = missing else { throw missing ?? .cancelled }
  #expect(folder.names == [])
}

@Test func `progress counts every second up to the end`() throws {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.tail = .seconds(0.25)
  var seconds = 0.0
  _ = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings).render(
    phrase, to: folder.file(), progress: { seconds += $0 })
  #expect(abs(seconds - 0.875) < 1e-9)
}
