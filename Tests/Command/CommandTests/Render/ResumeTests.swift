import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// A library of short songs, its output folder, and the runs of the program on it.
private struct Resumed {
  let songs = try! TemporaryFolder()
  let output = try! TemporaryFolder()

  init(_ count: Int = 4) throws {
    for number in 0..<count {
      try songs.createFile(
        "\(number).mid", songBytes([Note(tick: 0, key: UInt8(50 + number), length: 100)]))
    }
  }

  func arguments(_ folder: String = "o", soundFont: String = bundledSoundFont) -> [String] {
    [
      "render", "-s", soundFont, "--tail", "exact", "-d", output(folder), "--report",
      output("r.json"), songs.path,
    ]
  }

  func run(
    folder: String = "o", soundFont: String = bundledSoundFont, _ more: String...,
    code: Int32 = 0
  ) throws -> (kept: Int, rendered: Int) {
    let result = try Program(arguments(folder, soundFont: soundFont) + ["--json"] + more).result()
    #expect(result.exitCode == code, "\(result.errors)")
    let line = try #require(result.outputText.split(separator: "\n").last)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let summary = try #require(object?["summary"] as? [String: Any])
    return (summary["kept"] as? Int ?? -1, summary["songs"] as? Int ?? -1)
  }

  func report() throws -> Data { try Data(contentsOf: URL(filePath: output("r.json"))) }
}

@Test func `what is done is left alone, and the report is the same`() throws {
  let library = try Resumed()
  #expect(try library.run("--resume") == (0, 4))
  let report = try library.report()
  let before = try FileManager.default.attributesOfItem(atPath: library.output("o/0.wav"))
  #expect(try library.run("--resume") == (4, 0))
  #expect(try library.report() == report)
  let after = try FileManager.default.attributesOfItem(atPath: library.output("o/0.wav"))
  #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
  #expect(!library.output.names.contains("r.json.journal"))
}

@Test func `what is missing, cut short, or would come out otherwise is rendered again`() throws {
  let library = try Resumed()
  #expect(try library.run() == (0, 4))
  try FileManager.default.removeItem(atPath: library.output("o/0.wav"))
  try #require(truncate(library.output("o/1.wav"), 100) == 0)
  try library.songs.createFile("2.mid", shortSong())
  #expect(try library.run("--resume") == (1, 3))
  #expect(try library.run("--resume") == (4, 0))
  #expect(try library.run("--resume", "--gain", "-3") == (0, 4))
  #expect(try library.run("--resume", "--gain", "-3", "--jobs", "1") == (4, 0))
  for set in ["tuning=20", "tuning=30"] {
    #expect(try library.run("--resume", "--gain", "-3", "--set", set) == (0, 4))
    #expect(try library.run("--resume", "--gain", "-3", "--set", set) == (4, 0))
  }
  #expect(try library.run("--resume", "--gain", "-3", "--set", "tuning=0") == (0, 4))
  // The SoundFont's bytes count, not its path.
  let font = library.output("font.sf2")
  try FileManager.default.copyItem(atPath: bundledSoundFont, toPath: font)
  #expect(try library.run(soundFont: font, "--resume", "--gain", "-3") == (4, 0))
  #expect(try library.run("--resume", "--gain", "-3", "--format", "flac") == (0, 4))
}

@Test func `what another run has put in a file's place is rendered again`() throws {
  let library = try Resumed(2)
  #expect(try library.run("--image") == (0, 2))
  // A file of the same length with other bytes.
  let other = try Program(
    ["render", "-q", "-s", bundledSoundFont, "--tail", "exact", "--gain", "-6", "-d"]
      + [library.output("o"), library.songs("0.mid")]
  ).result()
  #expect(other.exitCode == 0)
  #expect(try library.run("--image", "--resume") == (1, 1))
  try Data([1, 2]).write(to: URL(filePath: library.output("o/1.png")))
  #expect(try library.run("--image", "--resume") == (1, 1))
  #expect(try library.run("--image", "--resume") == (2, 0))
}

@Test func `a folder may be spelt otherwise`() throws {
  let library = try Resumed(2)
  #expect(try library.run() == (0, 2))
  #expect(try library.run(folder: "./o//", "--resume") == (2, 0))
}

@Test func `failed songs are tried again, and new ones rendered`() throws {
  let library = try Resumed()
  try library.songs.createFile("bad.mid", Data())
  #expect(try library.run(code: 3) == (0, 4))
  try library.songs.createFile("bad.mid", shortSong())
  try library.songs.createFile("new.mid", shortSong())
  #expect(try library.run("--resume") == (4, 2))
}

@Test func `a run that was killed goes on where it was`() throws {
  let library = try Resumed(30)
  try library.songs.createFile("endless.mid", endlessSong())
  let program = try Program(library.arguments() + ["-j", "2"])
  try program.wait { (try? folderNames(library.output("o")).count >= 5) == true }
  program.send(SIGKILL)
  _ = try program.result()
  #expect(library.output.names.contains("r.json.journal"))
  let done = try folderNames(library.output("o")).filter { !$0.hasPrefix(".") }.count
  try FileManager.default.removeItem(atPath: library.songs("endless.mid"))
  let (kept, rendered) = try library.run("--resume")
  // A song may have been moved to its path, but not yet written to the journal.
  #expect(kept + rendered == 30 && kept >= done - 2 && kept > 0)
  #expect(!library.output.names.contains("r.json.journal"))
  let report = try library.report()
  #expect(try library.run() == (0, 30))
  #expect(try library.report() == report)
}

@Test(arguments: [SIGINT, SIGTERM])
func `a run that is interrupted leaves whole files, says how to go on, and can`(number: CInt) throws
{
  let library = try Resumed(10)
  try library.songs.createFile("endless.mid", endlessSong())
  let program = try Program(library.arguments() + ["-j", "2"])
  try program.wait { (try? folderNames(library.output("o")).count >= 8) == true }
  program.send(number)
  let result = try program.result()
  #expect(result.signal == number)
  #expect(result.errors.contains("repeat the command with --resume"), "\(result.errors)")
  for name in try folderNames(library.output("o")) {
    #expect(!name.hasPrefix(".") && !samples(library.output("o/\(name)")).isEmpty)
  }
  try FileManager.default.removeItem(atPath: library.songs("endless.mid"))
  #expect(try library.run("--resume").kept >= 6)
}

@Test func `two runs do not write one report`() throws {
  let library = try Resumed(1)
  try library.songs.createFile("endless.mid", endlessSong())
  let first = try Program(library.arguments())
  try first.wait { library.output.names.contains("r.json.journal") }
  let second = try Program(library.arguments()).result()
  #expect(second.exitCode == 4)
  #expect(second.errors.contains("another run is writing '"))
  first.send(SIGTERM)
  _ = try first.result()
}

func folderNames(_ path: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: path)
}
