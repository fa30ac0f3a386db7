import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// Returns a folder with different songs, some of them in a subfolder.
private func library(_ count: Int = 6) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  for number in 0..<count {
    let notes = (0..<(5 + number * 3)).map {
      Note(tick: Int64($0) * 60, key: UInt8(40 + number + $0 % 20), length: 50)
    }
    try folder.createFile("\(number % 2 == 0 ? "even/" : "")\(number).mid", songBytes(notes))
  }
  return folder
}

/// Returns the contents of all files below a folder, by relative path.
private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
  let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  return try Dictionary(
    uniqueKeysWithValues: names.compactMap { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder(name), isDirectory: &isFolder)
      return isFolder.boolValue
        ? nil : (name, try Data(contentsOf: URL(filePath: folder(name))))
    })
}

private let brief = ["--quiet", "--tail", "exact", "-s", bundledSoundFont]

private func run(_ arguments: [String], code: ExitCode = .done) throws -> ProgramResult {
  let result = try Program(["render"] + brief + arguments).result(within: 60)
  #expect(result.exitCode == code.rawValue, "\(result.errors)")
  return result
}

/// Runs the program through a shell script, so that arguments may contain bytes that are not UTF-8.
private func run(withBytes arguments: [String]) throws -> ProgramResult {
  let folder = try TemporaryFolder()
  var line = "exec \"$@\""
  for argument in arguments { line += " '\(argument)'" }
  try WholeFile.write(
    line.platformString.dropLast().map { UInt8(bitPattern: $0) }, to: folder("run"))
  let program = try Program(["render"] + brief, through: ["/bin/sh", folder("run")])
  let result = try program.result(within: 60)
  #expect(result.exitCode == 0, "\(result.errors)")
  return result
}

@Test func `a library is rendered to a tree like its own, the same bytes from any number of jobs`()
  throws
{
  let songs = try library()
  var trees: [[String: Data]] = []
  for jobs in ["1", "2", "9"] {
    let output = try TemporaryFolder()
    _ = try run(["-j", jobs, "-d", output("new/tree"), "--report", output("r.json"), songs.path])
    trees.append(try contents(output))
  }
  #expect(
    trees[0].keys.sorted() == [
      "new/tree/1.wav", "new/tree/3.wav", "new/tree/5.wav", "new/tree/even/0.wav",
      "new/tree/even/2.wav", "new/tree/even/4.wav", "r.json",
    ])
  for name in trees[0].keys where name != "r.json" {
    #expect(trees[1][name] == trees[0][name] && trees[2][name] == trees[0][name], "\(name)")
  }
}

@Test func `the merged report of all parts is the report of one run, byte for byte`() throws {
  let songs = try library(7)
  try songs.createFile("broken.mid", Data("none".utf8))
  let whole = try TemporaryFolder()
  let parts = try TemporaryFolder()
  // The same output paths, because the report contains them.
  let output = try TemporaryFolder()
  _ = try run(
    ["-d", output.path, "--report", whole("all.json"), songs.path], code: .inputUnusable)
  let once = try contents(output)
  try FileManager.default.removeItem(atPath: output.path)
  for number in 1...3 {
    _ = try Program(
      ["render"] + brief + [
        "-d", output.path, "--shard", "\(number)/3", "--report", parts("\(number).json"),
        songs.path,
      ]
    ).result()
  }
  let merged = try Program(
    ["render", "--merge", "-o", parts("all.json")] + (1...3).map { parts("\($0).json") }
  ).result()
  #expect(merged.exitCode == ExitCode.inputUnusable.rawValue)
  #expect(try contents(output) == once)
  #expect(
    try Data(contentsOf: URL(filePath: parts("all.json")))
      == Data(contentsOf: URL(filePath: whole("all.json"))))
}

@Test func `where there are more parts than songs, some have none`() throws {
  let songs = try library(1)
  let output = try TemporaryFolder()
  let reports = (1...2).map { output("\($0).json") }
  for number in 1...2 {
    _ = try run([
      "-d", output.path, "--shard", "\(number)/2", "--report", reports[number - 1],
      songs("even/0.mid"),
    ])
  }
  let merged = try Program(["render", "--merge"] + reports).result()
  #expect(merged.exitCode == 0 && merged.errors.hasPrefix("1 song: "), "\(merged.errors)")
}

@Test func `bad files are told of one by one, and the rest is done`() throws {
  let songs = try library(2)
  try songs.createFile("empty.mid", Data())
  try songs.createFile("text.mid", Data("It is a text.".utf8))
  try songs.createFile("cut.mid", shortSong()[..<12])
  try songs.createFile("notes.txt", Data("no song".utf8))
  let vast = try songs.createFile("vast.mid", Data())
  try #require(truncate(vast, 3 << 30) == 0)
  let output = try TemporaryFolder()
  let result = try run(
    ["-d", output.path, "--report", output("r.json"), songs.path], code: .inputUnusable)
  let told = result.errors.split(separator: "\n").map(String.init).sorted()
  #expect(told.count == 4 && told.allSatisfy { $0.hasPrefix("portative: '\(songs.path)/") })
  let report = try #require(
    try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: output("r.json"))))
      as? [String: Any])
  #expect((report["songs"] as? [[String: Any]])?.count == 2)
  let errors = try #require(report["errors"] as? [[String: Any]])
  #expect(
    errors.compactMap { ($0["input"] as? String)?.split(separator: "/").last }
      == ["cut.mid", "empty.mid", "text.mid", "vast.mid"])
  #expect(errors.allSatisfy { $0["exitCode"] as? Int == 3 })
  #expect(report["otherFiles"] as? [String] == [songs("notes.txt")])
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `on a disk that fills up, what fits is whole and what does not is told of`() throws {
  let songs = try TemporaryFolder()
  for number in 0..<4 { try songs.createFile("\(number).mid", shortSong()) }
  try songs.createFile("long.mid", endlessSong())
  let disk = try TemporaryFolder()
  try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=1m") == 0)
  defer { umount(disk.path) }
  let report = try TemporaryFolder()
  let result = try run(
    ["-d", disk.path, "--report", report("r.json"), "-j", "2", songs.path],
    code: .outputNotWritten)
  #expect(result.errors.contains("No space left on device"))
  // Which short songs fit beside the long one depends on timing.
  _ = try run(["-o", report("whole.wav"), songs("0.mid")])
  let whole = samples(report("whole.wav"))
  #expect(whole.count == 100_000)
  for name in disk.names { #expect(samples(disk(name)) == whole, "\(name)") }
  #expect(disk.names.count >= 1 && !disk.names.contains("long.wav"))
}

@Test func `a font that is of no use for some lines is told of for those`() throws {
  let songs = try library(2)
  let output = try TemporaryFolder()
  let list = try output.put(
    Data(
      """
      {"input": "\(songs("1.mid"))", "output": "a.wav"}
      {"input": "\(songs("1.mid"))", "output": "b.wav", "soundfont": "/etc/passwd"}
      {"input": "\(songs("even/0.mid"))", "output": "c/c.flac", "soundfont": "/etc/passwd"}
      {"input": "\(songs("even/0.mid"))", "output": "c/d.flac"}
      no line
      """.utf8), "list.jsonl")
  let result = try run(
    ["-d", output("o"), "--manifest", list, "--report", output("r.json")], code: .failed)
  let told = result.errors.split(separator: "\n")
  #expect(told.count == 3)
  #expect(
    told.filter { $0.contains("'/etc/passwd' (given with --soundfont) is not a SoundFont") }.count
      == 2
  )
  #expect(told.filter { $0.contains("line 5 of") }.count == 1)
  let files = try FileManager.default.subpathsOfDirectory(atPath: output("o")).sorted()
  #expect(files == ["a.wav", "c", "c/d.flac"])
}

@Test func `songs are rendered and kept whatever bytes their names have`() throws {
  let songs = try TemporaryFolder()
  try Folder.create(songs("caf\u{10FEE9}"), mode: 0o700)
  // Unicode considers two of the names equal, and would combine the accent at the beginning of another with the slash.
  let stems = ["caf\u{10FEE9}/\u{10FE83}V", "e\u{301}", "\u{E9}", "caf\u{10FEE9}/\u{301}"]
  for (number, stem) in stems.enumerated() {
    let song = try songBytes([Note(tick: 0, key: UInt8(50 + number), length: 100)])
    try WholeFile.write(Array(song), to: songs(stem + ".mid"))
  }
  let output = try TemporaryFolder()
  let arguments = [
    "-d", output.path, "--image", "--stems", "channel", "--report", output("r\u{10FEE9}.json"),
    songs.path,
  ]
  let first = try run(withBytes: arguments)
  #expect(first.errors == "")
  let names = [
    "caf\u{10FEE9}", "e\u{301}.png", "e\u{301}.stems", "e\u{301}.wav", "r\u{10FEE9}.json",
    "\u{E9}.png", "\u{E9}.stems", "\u{E9}.wav",
  ]
  #expect(try Folder.names(in: output.path)?.map(\.platformString) == names.map(\.platformString))
  #expect(
    try Folder.names(in: output("caf\u{10FEE9}")) == [
      "\u{301}.png", "\u{301}.stems", "\u{301}.wav",
      "\u{10FE83}V.png", "\u{10FE83}V.stems", "\u{10FE83}V.wav",
    ])
  let again = try run(withBytes: arguments + ["--resume", "--json"])
  #expect(again.outputText.contains("\"kept\":4"), "\(again.outputText)")
  let other = try run(
    withBytes: [
      songs("caf\u{10FEE9}/\u{10FE83}V.mid"), "-o", output("caf\u{10FEE9}/\u{10FEE9}.flac"),
    ])
  #expect(other.errors == "")
  #expect(try Folder.names(in: output("caf\u{10FEE9}"))?.last == "\u{10FEE9}.flac")
}

@Test func `a folder without songs, or nothing at all, is exit code 3`() throws {
  let folder = try TemporaryFolder()
  let result = try run(["--beside", folder.path], code: .inputUnusable)
  #expect(result.errors.contains("no song found in '\(folder.path)'"))
}

@Test func `parameters of one song do not reach the others of a list`() throws {
  let songs = try library(1)
  let output = try TemporaryFolder()
  let set = #", "set": "filter.cutoff=-2400,envelope.attack=1200,reverb.room=0.9""#
  let lines = [("a", set), ("b", ""), ("c", set)].map { name, set in
    "{\"input\": \"\(songs("even/0.mid"))\", \"output\": \"\(name).wav\"\(set)}\n"
  }
  let list = try output.put(Data(lines.joined().utf8), "list")
  // One after the other, so that they share their synths.
  _ = try run(["-j", "1", "-d", output.path, "--manifest", list])
  _ = try run(["-o", output("plain.wav"), songs("even/0.mid")])
  let files = try contents(output)
  #expect(files["b.wav"] == files["plain.wav"] && files["b.wav"] != nil)
  #expect(files["a.wav"] == files["c.wav"])
  #expect(files["a.wav"] != files["b.wav"])
}

@Test func `a summary tells the truth`() throws {
  let songs = try library(3)
  try songs.createFile("bad.mid", Data())
  try songs.createFile("bad.txt", Data())
  let output = try TemporaryFolder()
  let result = try Program(
    ["render", "-s", bundledSoundFont, "--tail", "exact", "-d", output.path, songs.path]
  ).result()
  let last = try #require(result.errors.split(separator: "\n").last)
  #expect(last.hasPrefix("3 songs: 0:0"), "\(last)")
  #expect(last.hasSuffix("; 1 failed; 1 other file skipped"), "\(last)")
  // One line each for the SoundFont, the invalid song and the summary, but none for each song.
  #expect(result.errors.split(separator: "\n").count == 3)
}
