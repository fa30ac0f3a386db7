import AudioFile
import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer
@testable import portative

/// A folder with a song, and the runs on it.
private struct Fixture {
  let folder = try! TemporaryFolder()

  init() throws { try folder.createFile("song.mid", shortSong()) }

  @discardableResult
  func run(_ arguments: String..., code: ExitCode = .done) throws -> ProgramResult {
    let result = try Program(
      ["render", "--quiet", "--tail", "exact", "-s", bundledSoundFont] + arguments
    ).result()
    #expect(result.exitCode == code.rawValue, "\(arguments) \(result.errors)")
    return result
  }

  func put(_ text: String, _ name: String) throws { _ = try folder.put(Data(text.utf8), name) }

  func text(_ name: String) -> String? {
    try? String(contentsOfFile: folder(name), encoding: .utf8)
  }
}

@Test func `the same command may be given again, whatever it writes`() throws {
  let fixture = try Fixture()
  for format in ["wav", "flac", "mp3", "raw"] {
    for _ in 0..<2 {
      try fixture.run(
        "--format", format, "--image", "--stems", "channel", "--report", fixture.folder("r.json"),
        fixture.folder("song.mid"))
    }
  }
  #expect(fixture.folder.names.contains("song.mp3"))
}

@Test func `a file that portative did not write stays, unless it is named or may be overwritten`()
  throws
{
  let fixture = try Fixture()
  let song = fixture.folder("song.mid")
  try fixture.put("mine", "song.wav")
  let result = try fixture.run(song, code: .outputNotWritten)
  #expect(result.errors.contains("song.wav' already exists, and Portative has not written it"))
  #expect(result.errors.contains("--overwrite"))
  #expect(fixture.text("song.wav") == "mine")
  try fixture.run("-o", fixture.folder("song.wav"), song)
  #expect(samples(fixture.folder("song.wav")).count == 100_000)
  try fixture.put("mine", "song.wav")
  try fixture.run("--overwrite", song)
  #expect(samples(fixture.folder("song.wav")).count == 100_000)
}

@Test func `a file that was changed since stays`() throws {
  let fixture = try Fixture()
  let (song, wav) = (fixture.folder("song.mid"), fixture.folder("song.wav"))
  try fixture.run(song)
  let file = try #require(FileHandle(forUpdatingAtPath: wav))
  try file.seekToEnd()
  try file.write(contentsOf: Data([0, 0, 0, 0]))
  try file.close()
  try fixture.run(song, code: .outputNotWritten)
  // An editor writes a new file and keeps the tags.
  try FileManager.default.removeItem(atPath: wav)
  try fixture.run(song)
  let edited = try Data(contentsOf: URL(filePath: wav))
  try FileManager.default.removeItem(atPath: wav)
  try edited.write(to: URL(filePath: wav))
  try fixture.run(song, code: .outputNotWritten)
  #expect(try Data(contentsOf: URL(filePath: wav)) == edited)
}

@Test func `pictures, stems and reports do not replace other files either`() throws {
  let fixture = try Fixture()
  let (song, wav) = (fixture.folder("song.mid"), fixture.folder("song.wav"))
  try fixture.put("mine", "song.png")
  try fixture.run("--image", "-o", wav, song, code: .outputNotWritten)
  #expect(fixture.text("song.png") == "mine" && !fixture.folder.names.contains("song.wav"))
  try fixture.folder.createFile("song.stems/wet.wav", Data("mine".utf8))
  try fixture.run("--stems", "channel", "-o", wav, song, code: .outputNotWritten)
  #expect(fixture.text("song.stems/wet.wav") == "mine")
  try fixture.put("{ ports: [] }", "config.json")
  try fixture.run("--report", fixture.folder("config.json"), song, code: .outputNotWritten)
  #expect(fixture.text("config.json") == "{ ports: [] }")
  try fixture.put("mine", "r.json.journal")
  try fixture.run("--report", fixture.folder("r.json"), song, code: .outputNotWritten)
  #expect(fixture.text("r.json.journal") == "mine")
  // Replacing an empty file, such as one from `mktemp`, loses nothing.
  try fixture.put("", "e.json")
  try fixture.run("--report", fixture.folder("e.json"), song)
}

@Test func `a report that was copied may be replaced, and what it lists, changed or not`() throws {
  let fixture = try Fixture()
  let (song, report) = (fixture.folder("song.mid"), fixture.folder("r.json"))
  try fixture.run("--report", report, song)
  let bytes = try Data(contentsOf: URL(filePath: report))
  try FileManager.default.removeItem(atPath: report)
  try bytes.write(to: URL(filePath: report))
  try fixture.put("damaged", "song.wav")
  try fixture.run(song, code: .outputNotWritten)
  try fixture.run("--report", report, song)
  #expect(try Data(contentsOf: URL(filePath: report)) == bytes)
  #expect(samples(fixture.folder("song.wav")).count == 100_000)
}

@Test func `a dry run says what would be written, and writes nothing`() throws {
  let fixture = try Fixture()
  try fixture.folder.createFile("lib/a/2.mid", shortSong())
  try fixture.folder.createFile("lib/1.mid", shortSong())
  try fixture.folder.createFile("lib/bad.mid", Data("none".utf8))
  try fixture.folder.createFile("out/3.wav", Data("mine".utf8))
  try fixture.folder.createFile("lib/3.mid", shortSong())
  let out = fixture.folder("out")
  try fixture.run("-d", out, fixture.folder("lib/1.mid"))
  let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path).sorted()
  let arguments = [
    "--dry-run", "--image", "--stems", "channel", "-d", out, "--report", fixture.folder("r.json"),
    fixture.folder("lib"),
  ]
  let result = try Program(["render", "-s", bundledSoundFont] + arguments).result()
  #expect(result.exitCode == ExitCode.failed.rawValue)
  #expect(
    result.outputText == """
      would replace \(out)/1.wav
      would write \(out)/1.png
      would write \(out)/1.stems/
      would write \(out)/a/2.wav
      would write \(out)/a/2.png
      would write \(out)/a/2.stems/

      """)
  let told = result.errors.split(separator: "\n")
  #expect(told.count == 3, "\(result.errors)")
  #expect(result.errors.contains("bad.mid' cannot be read as a MIDI file"))
  #expect(result.errors.contains("3.wav' already exists"))
  #expect(result.errors.contains("2 songs would be rendered; 2 would fail"))
  #expect(
    try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path).sorted() == before)
}

@Test(arguments: [
  ("--only=tuba", "'tuba' has no notes"), ("--from=bar99", "there is no bar 99"),
  ("--from=1:00:00", "must be before the end"), ("--transpose=127", "can be transposed by"),
])
func `a dry run finds what a song does not have`(option: String, message: String) throws {
  let fixture = try Fixture()
  let song = fixture.folder("song.mid")
  let before = fixture.folder.names
  let result = try fixture.run("--dry-run", option, song, code: .usage)
  #expect(result.errors.contains(message), "\(result.errors)")
  // As without it.
  #expect(try fixture.run(option, song, code: .usage).errors == result.errors)
  #expect(fixture.folder.names == before)
}

@Test func `a folder needs a place for its files`() throws {
  let fixture = try Fixture()
  let result = try fixture.run(fixture.folder.path, code: .usage)
  #expect(
    result.errors.contains("is a folder: name the folder for its audio files with --directory DIR")
      && result.errors.contains("--beside"))
  try fixture.run("--beside", fixture.folder.path)
  #expect(fixture.folder.names == ["song.mid", "song.wav"])
  try fixture.run("--beside", "-d", "/tmp", fixture.folder.path, code: .usage)
}

@Test func `nothing is written outside of the directory`() throws {
  let fixture = try Fixture()
  let song = fixture.folder("song.mid")
  let elsewhere = try TemporaryFolder()
  let files = FileManager.default
  try files.createDirectory(atPath: fixture.folder("out"), withIntermediateDirectories: true)
  try files.createSymbolicLink(
    atPath: fixture.folder("out/link"), withDestinationPath: elsewhere.path)
  try files.createSymbolicLink(
    atPath: fixture.folder("out/song.wav"), withDestinationPath: elsewhere("x.wav"))
  let outputs = ["../a.wav", "a/../../b.wav", elsewhere("c.wav"), "link/d.wav", "link/e/f.wav"]
  let lines = outputs.map { #"{"input": "\#(song)", "output": "\#($0)"}"# }
  let list = try fixture.folder.put(Data(lines.joined(separator: "\n").utf8), "list")
  let result = try fixture.run("-d", fixture.folder("out"), "--manifest", list, code: .failed)
  #expect(result.errors.split(separator: "\n").count == outputs.count, "\(result.errors)")
  #expect(result.errors.components(separatedBy: "would not be in '").count == outputs.count + 1)
  try fixture.run("-d", fixture.folder("out"), song, code: .outputNotWritten)
  #expect(elsewhere.names == [])
  #expect(fixture.folder.names == ["list", "out", "song.mid"])
  // The directory itself may be a symbolic link.
  try files.createSymbolicLink(atPath: fixture.folder("to"), withDestinationPath: elsewhere.path)
  try fixture.run("-d", fixture.folder("to"), song)
  #expect(elsewhere.names == ["song.wav"])
}

@Test
func `a file of this run is not replaced by another, whatever the file system takes for one name`()
  throws
{
  let folder = try TemporaryFolder()
  let path = try folder.put(Data("one".utf8), "a.wav")
  let policy = ReplacePolicy(overwrites: true, earlier: nil)
  let rules = policy.rules(root: nil)
  #expect(rules.mayReplace(path, true))
  rules.didWrite(path)
  // On a file system that ignores case, `A.wav` would be the same file.
  try #require(link(path, folder("A.wav")) == 0)
  #expect(!rules.mayReplace(folder("A.wav"), true))
}
