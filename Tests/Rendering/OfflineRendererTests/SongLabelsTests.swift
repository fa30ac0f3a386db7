import AudioFile
import FluidSynthEngine
import Foundation
import MIDIFile
import OfflineRenderer
import TestSupport
import Testing

/// Renders a song with labels; returns the objects of the file, and the samples.
private func labels(
  _ song: StandardMIDIFile, _ change: (inout RenderSettings) -> Void = { _ in }
) throws -> [[String: Any]] {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  change(&settings)
  let path = "\(folder.path)/a.jsonl"
  _ = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings).render(
    song, to: try folder.file(), labels: LabelFile(path: path, format: .jsonl, hasMessages: true))
  return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
    try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
  }
}

extension [[String: Any]] {
  fileprivate func of(_ type: String) -> Self { filter { $0["type"] as? String == type } }

  fileprivate func values(_ name: String) -> [Int?] { map { $0[name] as? Int } }

  fileprivate var endings: [String?] { map { $0["ending"] as? String } }
}

@Suite("SongLabels", .timeLimit(.minutes(5))) struct SongLabelsTests {
  @Test func `a note is released with its key, and its sound with the pedal`() throws {
    let lines = try labels(
      song(
        [
          on(100, 60), control(5000, 64, 127), on(6001, 64), off(9000, 60), off(9500, 64),
          on(10_000, 67), control(20_000, 64, 0), off(25_000, 67),
        ], end: 30_000))
    let notes = lines.of("note")
    #expect(notes.values("onset") == [100, 6001, 10_000])
    #expect(notes.values("keyRelease") == [9000, 9500, 25_000])
    #expect(notes.values("soundRelease") == [20_000, 20_000, 25_000])
    #expect(lines.of("message").values("frame") == [5000, 20_000])
    #expect(lines.of("beat").values("frame").prefix(2) == [0, 24_000])
    #expect(lines.of("tempo").values("microsecondsPerQuarter") == [500_000])
  }

  @Test func `the sostenuto pedal holds only the keys that it found down`() throws {
    let notes = try labels(
      song(
        [
          on(0, 60), control(1000, 66, 127), on(2000, 64), off(3000, 60), off(4000, 64),
          control(9000, 66, 0),
        ], end: 30_000)
    ).of("note")
    #expect(notes.values("soundRelease") == [9000, 4000])
  }

  @Test
  func `the sostenuto pedal takes over a note of the sustain pedal whose key is struck again`()
    throws
  {
    let notes = try labels(
      song(
        [
          control(0, 64, 127), on(1000, 60), off(2000, 60), control(3000, 66, 127), on(4000, 60),
          control(5000, 64, 0), off(6000, 60), control(9000, 66, 0),
        ], end: 30_000)
    ).of("note")
    #expect(notes.values("soundRelease") == [9000, 6000])
  }

  @Test func `a key that is struck again ends its note`() throws {
    let notes = try labels(song([on(0, 60), on(4000, 60), off(8000, 60)], end: 9000)).of("note")
    #expect(notes.values("keyRelease") == [4000, 8000])
    #expect(notes.values("endedBy") == [1, nil])
    #expect(notes.endings == ["retriggered", "released"])
  }

  @Test func `an open hi-hat is choked by a closed one`() throws {
    let notes = try labels(
      song([on(0, 46, channel: 9), on(4000, 42, channel: 9)], end: 9000)
    ).of("note")
    #expect(notes.endings == ["choked", "released"])
    #expect(notes.values("endedBy") == [1, nil])
    #expect(notes.values("bank") == [128, 128])
    let alone = try labels(song([on(0, 46, channel: 9)], end: 9000)).of("note")
    let (choked, free) = (try #require(notes.values("silence")[0]), alone.values("silence")[0])
    #expect(4000..<(free ?? 0) ~= choked)
  }

  @Test func `legato notes continue, and all sound off silences`() throws {
    let notes = try labels(
      song(
        [
          control(0, 68, 127), on(100, 60), on(3000, 62), off(6000, 62), on(9000, 64),
          control(12_000, 120, 0),
        ],
        end: 24_000)
    ).of("note")
    #expect(notes.endings.first == "continued")
    #expect(notes.values("endedBy")[0] == 1)
    #expect(notes.endings.last == "silenced")
    #expect(notes.values("soundRelease").last == 12_000)
    let silence = try #require(notes.values("silence").last ?? nil)
    #expect(silence <= 12_000 + 2 * 64)
  }

  @Test func `a note that a monophonic channel returns to is a note of its own`() throws {
    let events = [
      control(0, 126, 1), on(4800, 60), on(9600, 64), off(14_400, 64), off(24_000, 60),
    ]
    let notes = try labels(song(events, end: 30_000)).of("note")
    #expect(notes.values("note") == [0, 1, 2])
    #expect(notes.values("returnOf") == [nil, nil, 0])
    #expect(notes.values("key") == [60, 64, 60])
    #expect(notes.values("onset") == [4800, 9600, 14_400])
    #expect(notes.values("keyRelease") == [24_000, 14_400, 24_000])
    #expect(notes.values("soundRelease") == [9600, 14_400, 24_000])
    #expect(notes.endings == ["continued", "continued", "released"])
    #expect(notes.values("endedBy") == [1, 2, nil])
  }

  @Test func `a song has no more notes at once than its polyphony`() throws {
    let events = [on(0, 60), on(4000, 64), on(8000, 67)]
    let notes = try labels(song(events, end: 12_000)) { $0.polyphony = 2 }.of("note")
    #expect(notes.endings.filter { $0 == "stolen" }.count == 1)
    #expect(notes.values("soundRelease").contains(8000))
  }

  @Test func `all sound off silences a note that a pedal holds`() throws {
    let events = [control(0, 64, 127), on(100, 60), off(3000, 60), control(12_000, 120, 0)]
    let notes = try labels(song(events, end: 24_000)).of("note")
    #expect(notes.endings == ["silenced"])
    #expect(notes.values("keyRelease") == [3000])
    #expect(notes.values("soundRelease") == [12_000])
  }

  @Test func `a note without a sound is unmapped, and silent from its onset on`() throws {
    let events = [on(100, 60), off(5000, 60), control(6000, 124, 0), control(6000, 126, 1)]
    let notes = try labels(
      song(events + [on(7000, 60, channel: 1), off(8000, 60, channel: 1)], end: 9000)
    ).of("note")
    #expect(notes.endings.last == "unmapped")
    #expect(notes.values("silence").last == 7000 && notes.values("audible").last == nil as Int?)
  }

  @Test func `a range counts from its first frame, and knows no silence after its end`() throws {
    let events = [on(0, 60), off(1000, 60), on(20_000, 64), off(90_000, 64), on(30_000, 67)]
    let lines = try labels(song(events.sorted { $0.tick < $1.tick }, end: 96_000)) {
      $0.start = 0.5
      $0.end = 1
      $0.tail = .exact
    }
    #expect(lines[0]["start"] as? Int == 24_000 && lines[0]["frames"] as? Int == 24_000)
    let notes = lines.of("note")
    #expect(notes.values("note").suffix(2) == [1, 2])
    #expect(notes.values("onset").suffix(2) == [-4000, 6000])
    #expect(notes.values("silence").suffix(2) == [nil, nil])
  }

  /// The cache plays recordings instead of rendering notes, and threads distribute them.
  @Test(arguments: [(1, 0), (1, 16 << 20), (2, 16 << 20), (3, 0)])
  func `labels do not depend on threads or the cache`(threads: Int, cacheBytes: Int) throws {
    let chord = (0..<40).flatMap { index -> [Event] in
      let (tick, key) = (Int64(index) * 3000, UInt8(50 + index % 5))
      return [on(tick, key), off(tick + 2500, key)]
    }
    let expected = try labels(song(chord)) { $0.cacheBytes = 0 }
    let found = try labels(song(chord)) {
      $0.threads = threads
      $0.cacheBytes = cacheBytes
    }
    #expect(found as NSArray == expected as NSArray)
  }

  @Test func `the polyphony limit steals a note that names its thief`() throws {
    // More notes than the limit of 256, held by the pedal.
    var events: [Event] = []
    for channel in UInt8(0)..<3 { events.append(control(0, 64, 127, channel: channel)) }
    for index in 0..<300 {
      events.append(on(Int64(index * 16), UInt8(20 + index % 100), channel: UInt8(index / 100)))
    }
    let notes = try labels(song(events, end: 30_000)).of("note")
    let stolen = notes.filter { $0["ending"] as? String == "stolen" }
    #expect(stolen.count == 300 - 256)
    for note in stolen {
      let thief = try #require(note["endedBy"] as? Int)
      #expect(note["soundRelease"] as? Int == notes[thief]["onset"] as? Int)
    }
  }
}

@Suite("LabelFormat", .timeLimit(.minutes(5))) struct LabelFormatTests {
  private func encoded(_ format: LabelFormat) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a.\(format.rawValue)"
    _ = try SongRenderer(soundFont: .open(bundledSoundFont), settings: RenderSettings()).render(
      phrase, to: try folder.file(), labels: LabelFile(path: path, format: format))
    return (folder, path)
  }

  @Test func `the table has a line for each note, and a name for each column`() throws {
    let (folder, path) = try encoded(.csv)
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 5 && rows.allSatisfy { $0.count == 16 })
    #expect(rows[1][7] == "0" && rows[2][7] == "1000")
    withExtendedLifetime(folder) {}
  }

  /// Python's own reader of archives checks their checksums.
  @Test func `the archive is one that another program reads`() throws {
    let (folder, path) = try encoded(.npz)
    let script = """
      import sys, zipfile, ast
      archive = zipfile.ZipFile(sys.argv[1])
      assert archive.testzip() is None
      data = archive.read("notes.npy")
      length = int.from_bytes(data[8:10], "little")
      assert data[:8] == bytes([0x93]) + b"NUMPY" + bytes([1, 0]) and (10 + length) % 64 == 0
      header = ast.literal_eval(data[10:10 + length].decode())
      size = sum(int(kind[2:]) for _, kind in header["descr"])
      assert header["shape"] == (4,) and len(data) == 10 + length + 4 * size
      print(sorted(archive.namelist()))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("beats.npy") && text.contains("endings.npy"))
    withExtendedLifetime(folder) {}
  }

  @Test func `labels do not change the samples, and no file remains of a failed song`() throws {
    let folder = try TemporaryFolder()
    let renderer = SongRenderer(
      soundFont: try .open(bundledSoundFont), settings: RenderSettings())
    let plain = try renderer.render(phrase, to: try folder.file("plain.raw"))
    let labelled = try renderer.render(
      phrase, to: try folder.file(), labels: LabelFile(path: folder("a.csv"), format: .csv))
    #expect(plain.audio.hash == labelled.audio.hash)
    #expect(throws: RenderError.self) {
      try renderer.render(
        phrase, to: try folder.file("b.raw"),
        labels: LabelFile(path: folder("b.csv"), format: .csv), isCancelled: { true })
    }
    #expect(!FileManager.default.fileExists(atPath: folder("b.csv")))
  }
}
