import AudioFile
import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

private func lines(_ text: String) -> [String] {
  text.split(separator: "\n").map(String.init)
}

@Test(arguments: [("exact", 50_000), ("bar", 96_000), ("0.25", 62_000), ("0", 50_000)])
func `a song has the length that its tail asks for`(tail: String, frames: Int) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(song, "--tail", tail, "--bits", "32f")
  #expect(result.exitCode == 0, "\(result.errors)")
  let audio = samples(folder("song.wav"))
  #expect(audio.count == 2 * frames)
  #expect(peak(audio) > 0.01)
}

@Test func `by default it ends with the last frame above -90 dBFS`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  #expect(try render(song, "--bits", "32f", "-o", folder("silence.wav")).exitCode == 0)
  #expect(try render(song, "--bits", "32f", "--tail", "8", "-o", folder("8.wav")).exitCode == 0)
  let trimmed = samples(folder("silence.wav"))
  let whole = samples(folder("8.wav"))
  #expect(trimmed.count > 100_000 && trimmed.count < whole.count)
  #expect(trimmed.elementsEqual(whole[..<trimmed.count]))
  #expect(peak(trimmed.suffix(2)) > 3.16e-5)
  #expect(peak(whole[trimmed.count...]) < 3.17e-5)
}

@Test func `a tail that is cut while it is heard is told of`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(song, "--max-tail", "0.1", "--bits", "32f")
  #expect(samples(folder("song.wav")).count == 2 * 54_800)
  #expect(result.errors.contains("cut 0.1 s after the song, while it still sounded"))
}

@Test func `standard input to standard output gives the bytes of the file`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let piped = try render("-", "-o", "-", "--raw", input: song)
  #expect(piped.exitCode == 0)
  #expect(try render(song, "--raw").exitCode == 0)
  #expect(piped.output.count > 200_000)
  #expect(try piped.output == Data(contentsOf: URL(filePath: folder("song.raw"))))
}

@Test func `a part of a song has the very frames of the whole`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  func audio(_ name: String, _ arguments: String...) throws -> [Float] {
    let result = try Program(
      [
        "render", "-s", bundledSoundFont, song, "--bits", "32f", "--tail", "exact", "-o",
        folder(name),
      ]
        + arguments
    ).result()
    #expect(result.errors.contains("warning") == false)
    return samples(folder(name))
  }
  let whole = try audio("whole.wav")
  let middle = try audio("middle.wav", "--from", "0.3001", "--to", "0:00.7")
  #expect(middle.elementsEqual(whole[2 * 14_405..<2 * 33_600]))
  #expect(try audio("rest.wav", "--from", "0.5").elementsEqual(whole[2 * 24_000..<2 * 50_000]))
}

@Test(arguments: ["exact", "stock"])
func `two runs give the same bytes, whatever the number of threads`(timing: String) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  var runs: [Data] = []
  var reports: [Data] = []
  for jobs in ["1", "1", "2"] {
    let result = try render(
      song, "--jobs", jobs, "--timing", timing, "--report", folder("report.json"))
    #expect(result.exitCode == 0)
    runs.append(try Data(contentsOf: URL(filePath: folder("song.wav"))))
    reports.append(try Data(contentsOf: URL(filePath: folder("report.json"))))
  }
  #expect(runs[0] == runs[1] && runs[0] == runs[2])
  #expect(reports[0] == reports[1] && reports[0] == reports[2])
}

@Test(arguments: AudioFormat.Container.allCases.filter { $0 != .raw })
func `every format is read by another program`(container: AudioFormat.Container) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(
    song, "--tail", "exact", "--format", container.rawValue, "-d", folder.path)
  #expect(result.exitCode == 0, "\(result.errors)")
  let audio = samples(folder("song.\(container.rawValue)"))
  // MP3 consists of whole codec frames and begins with the codec's delay.
  #expect(audio.count >= 100_000 && audio.count <= 100_000 + 2 * 4000)
  #expect(peak(audio) > 0.01 && peak(audio) < 1)
}

@Test func `says which SoundFont it took, then the result, and nothing when asked to be quiet`()
  throws
{
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let said = lines(try render(song).errors)
  #expect(said.first == "SoundFont: \(bundledSoundFont) (given with --soundfont)")
  #expect(said.count == 2)
  #expect(said.last?.hasPrefix("\(folder("song.wav")): 0:0") == true)
  #expect(said.last?.contains(" dBFS") == true)
  #expect(said.last?.hasSuffix("x real time") == true)
  #expect(try render(song, "--quiet").errors == "")
}

@Test func `the report tells of the SoundFont, the settings and each song`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(song, "--report", "-", "--rate", "44100", "--quiet")
  let report = try #require(
    try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  let soundFont = report["soundFont"] as? [String: String]
  #expect(soundFont?["path"] == bundledSoundFont)
  #expect(soundFont?["origin"] == "given with --soundfont")
  #expect(soundFont?["hash"]?.count == 32)
  #expect((report["settings"] as? [String: Any])?["sampleRate"] as? Int == 44100)
  let entry = try #require((report["songs"] as? [[String: Any]])?.first)
  #expect(entry["notes"] as? Int == 20)
  #expect(entry["inexactOnsets"] as? Int == 0)
  #expect(entry["silentNotes"] as? Int == 0)
  #expect((entry["voices"] as? Int ?? 0) >= 4)
  #expect((entry["lanes"] as? Int ?? 0) >= 4)
  #expect((entry["hash"] as? String)?.count == 32)
  #expect(entry["truePeakDBTP"] is Double && entry["loudnessLUFS"] is Double)
  let frames = try #require(entry["frames"] as? Int)
  #expect(abs((entry["seconds"] as? Double ?? 0) - Double(frames) / 44100) < 1e-9)
  let audio = samples(folder("song.wav"))
  #expect(audio.count == 2 * frames)
  let level = 20 * log10(Double(peak(audio)))
  #expect(abs(level - (entry["peakDBFS"] as? Double ?? 0)) < 0.05)
}

@Test func `JSON lines tell the same to programs`() throws {
  let folder = try TemporaryFolder()
  let good = try folder.put(shortSong(), "good.mid")
  let bad = try folder.put(Data("no song".utf8), "bad.mid")
  let result = try render(bad, good, "--json")
  #expect(result.exitCode == 3)
  let objects = try lines(result.outputText).map {
    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
  }
  #expect(objects.last??["summary"] != nil)
  let fields = objects.reduce(into: [:]) { all, one in all.merge(one ?? [:]) { $1 } }
  #expect(Set(fields.keys) == ["schema", "soundFont", "error", "song", "summary"])
  let told = fields.compactMapValues { $0 as? [String: Any] }
  #expect(told["error"]?["input"] as? String == bad)
  #expect(told["song"]?["output"] as? String == folder("good.wav"))
  #expect(told["summary"]?["failed"] as? Int == 1)
}

@Test func `one bad file does not stop the others`() throws {
  let folder = try TemporaryFolder()
  let songs = try ["a.mid", "c.mid", "d.mid"].map { try folder.put(shortSong(), $0) }
  let bad = try folder.put(Data(), "b.mid")
  let result = try render(songs[0], bad, songs[1], songs[2], "--quiet", "--tail", "exact")
  #expect(result.exitCode == 3)
  #expect(
    result.errors == "portative: '\(bad)' cannot be read as a MIDI file: the file is empty\n")
  #expect(
    folder.names == ["a.mid", "a.wav", "b.mid", "c.mid", "c.wav", "d.mid", "d.wav"])
  let bytes = try ["a.wav", "c.wav"].map { try Data(contentsOf: URL(filePath: folder($0))) }
  #expect(bytes[0] == bytes[1])
}

@Test func `clipping is told, with the gain that avoids it`() throws {
  let folder = try TemporaryFolder()
  let chord = (30..<90).map { Note(tick: 0, key: UInt8($0), length: 400, velocity: 127) }
  let song = try folder.put(songBytes(chord))
  let loud = try render(song, "--gain", "20")
  let gain = try #require(loud.errors.firstMatch(of: /clipped, .*use --gain (-?[0-9.]+), or/)).1
  #expect(Double(gain) ?? 99 < 20)
  #expect(try !render(song, "--gain", String(gain)).errors.contains("clipped"))
  #expect(try !render(song, "--gain", "20", "--bits", "32f").errors.contains("frames clipped"))
}

@Test func `notes that are never released are told, but not where the part ends before them`()
  throws
{
  let folder = try TemporaryFolder()
  let song = try folder.put(
    songBytes([Note(tick: 0, key: 60), Note(tick: 10, key: 62, length: 2000)], endTick: 2010))
  for tail in ["silence", "exact", "bar"] {
    let result = try render(song, "--tail", tail)
    #expect(result.errors.contains("warning: 1 note never released: ended with the song"))
  }
  #expect(try !render(song, "--to", "1").errors.contains("never released"))
}

@Test func `missing presets are reported with their replacements`() throws {
  let folder = try TemporaryFolder()
  var bytes = try Array(songBytes([Note(tick: 0, key: 60, length: 100)]))
  // Selects bank 77 and program 3 before the note.
  let head = bytes.startIndex + 22
  bytes.insert(contentsOf: [0, 0xB0, 0, 77, 0, 0xC0, 3], at: head)
  bytes[21] += 7
  let result = try render(try folder.put(Data(bytes)))
  #expect(
    result.errors.contains(
      "warning: the SoundFont has no preset 77:3: preset 0:3 was played instead"))
  let strict = try render(try folder.put(Data(bytes)), "--strict", "-o", folder("strict.wav"))
  #expect(strict.exitCode == 6)
  #expect(folder.names == ["song.mid", "song.wav"])
}

@Test func `a part that begins after the song is refused`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(song, "--from", "10")
  #expect(result.exitCode == 2)
  #expect(
    result.errors
      == "portative: --from 10 must be before the end of '\(song)', which is 1.04 s long\n")
  #expect(folder.names == ["song.mid"])
}
