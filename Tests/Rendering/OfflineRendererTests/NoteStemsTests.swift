import AudioFile
import FluidSynthEngine
import Foundation
import MIDIFile
import RenderCore
import TestSupport
import Testing

@testable import OfflineRenderer

/// Notes that recur, that a pedal holds, that are struck again, choked and continued, and one without a sound.
private let notes = song(
  [
    on(0, 60), on(1000, 64), on(2001, 46, channel: 9), on(4000, 42, channel: 9),
    control(5000, 64, 127), off(9000, 60), off(9000, 64), on(12_345, 72), on(13_000, 60),
    off(20_000, 72), control(25_000, 64, 0), on(26_000, 72), off(26_500, 72), off(27_000, 60),
    control(0, 68, 127, channel: 2), on(3000, 50, channel: 2), on(7000, 52, channel: 2),
    off(12_000, 52, channel: 2), control(28_000, 124, 0, channel: 3),
    control(28_000, 126, 1, channel: 3), on(28_500, 60, channel: 4), off(29_000, 60, channel: 4),
  ].sorted { $0.tick < $1.tick }, end: 30_000)

private func render(
  _ song: StandardMIDIFile = notes, in folder: TemporaryFolder,
  _ format: AudioFormat? = nil, _ change: (inout RenderSettings) -> Void = { _ in },
  isCancelled: () -> Bool = { false }, accept: (SongReport) -> Bool = { _ in true }
) throws -> SongReport {
  var settings = RenderSettings()
  change(&settings)
  let format = try format ?? AudioFormat(.raw, bits: .b32f)
  return try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings).render(
    song,
    to: RenderedFile(
      to: .file("\(folder.path)/a.raw"), format: format, sampleRate: 48_000,
      measuresLoudness: false),
    stems: StemSettings(grouping: .note, folder: "\(folder.path)/a.stems", format: format),
    labels: LabelFile(path: "\(folder.path)/a.jsonl", format: .jsonl), isCancelled: isCancelled,
    accept: accept)
}

extension TemporaryFolder {
  fileprivate func stem(_ name: String) throws -> [Float] { try samples("a.stems/\(name)") }

  /// The labels of the notes.
  fileprivate func labels() throws -> [[String: Any]] {
    try String(contentsOfFile: "\(path)/a.jsonl", encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }.filter { $0["type"] as? String == "note" }
  }
}

/// Adds the files of notes at their onsets, as the engine adds.
private func sum(of folder: TemporaryFolder, samples: Int) throws -> [Float] {
  var sums = [Int64](repeating: 0, count: samples)
  for label in try folder.labels() {
    guard let name = label["file"] as? String else { continue }
    let onset = 2 * max(0, try #require(label["onset"] as? Int))
    let part = try folder.stem(name)
    let count = min(part.count, samples - onset)
    sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      FixedPoint.add(part, to: sums + onset, count: max(0, count))
    }
  }
  var mix = [Float](repeating: 0, count: samples)
  FixedPoint.store(sums, in: &mix, count: samples)
  return mix
}

@Suite("NoteStems", .timeLimit(.minutes(5))) struct NoteStemsTests {
  @Test(arguments: [(1, 16 << 20), (1, 0), (3, 16 << 20)], [true, false])
  func `superposition: the files of the notes add up to the dry stem, bit for bit`(
    _ resources: (threads: Int, cacheBytes: Int), hasEffects: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let report = try render(in: folder) {
      $0.threads = resources.threads
      $0.cacheBytes = resources.cacheBytes
      $0.effects = Effects(reverb: hasEffects, chorus: hasEffects)
    }
    let dry = try folder.stem("dry.raw")
    #expect(dry.contains { abs($0) > 0.01 } && dry.count == 2 * report.audio.file.frames)
    #expect(try sum(of: folder, samples: dry.count) == dry)
    if !hasEffects { #expect(try folder.samples() == dry) }
    let files = try #require(report.stems).stems.map(\.path.lastPart)
    let labelled = try folder.labels().compactMap { $0["file"] as? String }
    // The labels are in the order of onsets; a note that returns has a number after all others.
    #expect(files == ["dry.raw"] + (hasEffects ? ["wet.raw"] : []) + labelled.sorted())
    #expect(labelled.first == "0000 ch01 key060.raw" && labelled.count >= 10)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a.stems").sorted()
        == files.sorted())
  }

  @Test func `a note's file has the samples of the note alone, from its onset on`() throws {
    let folder = try TemporaryFolder()
    _ = try render(in: folder)
    let alone = try TemporaryFolder()
    _ = try render(song([on(0, 72), off(500, 72)], end: 600), in: alone) {
      $0.effects = Effects(reverb: false, chorus: false)
      $0.tail = .seconds(1)
    }
    let names = try folder.labels().compactMap { $0["file"] as? String }
    let last = try #require(names.last { $0.contains("key072") })
    let (note, expected) = (try folder.stem(last), try alone.samples())
    let common = min(note.count, expected.count)
    #expect(common > 20_000 && note[..<common] == expected[..<common])
  }

  @Test func `a note without a sound has no file`() throws {
    let folder = try TemporaryFolder()
    let silent = song(
      [
        on(100, 60), off(5000, 60), control(6000, 124, 0), control(6000, 126, 1),
        on(7000, 60, channel: 1), off(8000, 60, channel: 1),
      ], end: 9000)
    _ = try render(silent, in: folder)
    let labels = try folder.labels()
    #expect(labels.map { $0["ending"] as? String } == ["released", "unmapped"])
    #expect(labels.map { $0["file"] as? String } == ["0000 ch01 key060.raw", nil])
  }

  @Test func `in a part of a song, files begin with the part or with their note`() throws {
    let whole = try TemporaryFolder()
    _ = try render(in: whole) { $0.tail = .exact }
    let part = try TemporaryFolder()
    let report = try render(in: part) {
      $0.tail = .exact
      $0.start = .seconds(5000.0 / 48_000)
      $0.end = .seconds(20_000.0 / 48_000)
    }
    #expect(try part.stem("dry.raw")[...] == whole.stem("dry.raw")[10_000..<40_000])
    #expect(try sum(of: part, samples: 2 * report.audio.file.frames) == part.stem("dry.raw"))
  }

  @Test func `a render that does not succeed leaves neither files nor the folder`() throws {
    let folder = try TemporaryFolder()
    var cycles = 0
    #expect(throws: RenderError.self) {
      try render(
        in: folder,
        isCancelled: {
          cycles += 1
          return cycles == 7
        })
    }
    #expect(folder.names == [])
    #expect(throws: RenderError.self) { try render(in: folder, accept: { _ in false }) }
    #expect(folder.names == [])
    // A folder that appears at the path of the mix after the other files.
    #expect(throws: RenderError.self) {
      try render(
        in: folder,
        accept: { _ in
          try? FileManager.default.createDirectory(
            atPath: "\(folder.path)/a.raw/x", withIntermediateDirectories: true)
          return true
        })
    }
    #expect(folder.names == ["a.raw"])
  }

  @Test func `a folder in the place of a note's file is an error that names it`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a.stems/0001 ch01 key064.raw"
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    let error = #expect(throws: RenderError.self) { try render(in: folder) }
    #expect(error?.description.contains("0001 ch01 key064.raw") == true)
    #expect(folder.names == ["a.stems"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a.stems").count == 1)
  }

  @Test func `a song that is rendered again replaces its files and finds no others`() throws {
    let folder = try TemporaryFolder()
    let first = try render(in: folder, AudioFormat(.wav))
    let again = try render(in: folder, AudioFormat(.wav))
    #expect(again.stems?.otherFiles == 0)
    #expect(again.stems?.stems.map(\.audio) == first.stems?.stems.map(\.audio))
  }

  @Test func `more notes than files are refused with both numbers`() throws {
    let folder = try TemporaryFolder()
    let crowd = song((0..<65_537).map { on(Int64($0), 60) }, end: 70_000)
    let error = #expect(throws: RenderError.self) { try render(crowd, in: folder) }
    #expect(error?.description.contains("65537") == true)
    #expect(error?.description.contains("65536") == true)
    #expect(folder.names == [])
  }

  @Test func `names have enough digits for their order`() {
    let few = SeparateNotes([(0, 0, 60, 0), (0, 9, 5, 0)], namesPorts: false)
    #expect(few.name(ofNote: 1) == "0001 ch10 key005")
    let many = SeparateNotes(
      Array(repeating: (1, 15, 127, 0), count: 10_001), namesPorts: true)
    #expect(many.name(ofNote: 0) == "00000 port2 ch16 key127")
    #expect(many.name(ofNote: 10_000) == "10000 port2 ch16 key127")
  }
}

extension String {
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
