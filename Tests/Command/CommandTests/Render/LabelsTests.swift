import Foundation
import ProgramTestSupport
import TestSupport
import Testing

private func render(all arguments: [String]) throws -> ProgramResult {
  try Program(["render", "-s", bundledSoundFont] + arguments).result()
}

@Suite("render --labels", .timeLimit(.minutes(5))) struct LabelsTests {
  @Test func `labels lie where they are named, or beside each song`() throws {
    let folder = try TemporaryFolder()
    let song = try folder.put(shortSong())
    #expect(try render(song, "-q", "--labels", folder("named.CSV")).exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: folder("named.CSV")))
    try folder.createFile("lib/a.mid", shortSong())
    try folder.createFile("lib/b.mid", shortSong())
    let result = try render(
      folder("lib"), "-q", "-d", folder("out"), "--labels", "npz", "--report", folder("r.json"))
    #expect(result.exitCode == 0, "\(result.errors)")
    for name in ["a.npz", "b.npz", "a.wav"] {
      #expect(FileManager.default.fileExists(atPath: folder("out/\(name)")))
    }
    let report = try String(contentsOfFile: folder("r.json"), encoding: .utf8)
    #expect(report.contains("out/a.npz") && report.contains(#""labels":"npz""#))
  }

  @Test func `a resumed run writes labels that were removed`() throws {
    let folder = try TemporaryFolder()
    try folder.createFile("lib/a.mid", shortSong())
    let arguments = [
      folder("lib"), "-q", "-d", folder("out"), "--labels", "csv", "--report", folder("r.json"),
      "--resume",
    ]
    #expect(try render(all: arguments).exitCode == 0)
    try FileManager.default.removeItem(atPath: folder("out/a.csv"))
    #expect(try render(all: arguments).exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: folder("out/a.csv")))
  }

  @Test(arguments: [
    (["--labels", "a.txt"], "must be a file that ends in .jsonl, .csv, .npz or .mid"),
    (["--labels", "npz", "-o", "-"], "needs an audio file"),
    (["--labels", "a.csv", "--timing", "stock"], "--labels needs --timing exact"),
    (["--label-messages"], "--label-messages needs --labels"),
    (["--labels", "a.csv", "other.mid", "-d", "out"], "names one file for all songs"),
  ])
  func `options that contradict each other are refused`(_ options: [String], _ message: String)
    throws
  {
    let folder = try TemporaryFolder()
    let result = try render(all: [try folder.put(shortSong())] + options)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result.errors)")
  }
}
