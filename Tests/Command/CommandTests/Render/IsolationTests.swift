import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// Songs in a FluidSynth that has faults: see `Tests/Support/fluidsynthfaults/faults.c`.
private struct FaultySynth {
  let folder = try! TemporaryFolder()

  init() throws {
    let compiler = try Program(
      [
        "-shared", "-fPIC", "-o", folder("faults.so"),
        repositoryFile("Tests/Support/fluidsynthfaults/faults.c"),
      ], program: "/usr/bin/gcc"
    ).result(within: 280)
    try #require(compiler.exitCode == 0, "\(compiler.errors)")
  }

  /// Puts a song of one note into the folder `songs`.
  @discardableResult func put(_ name: String, key: UInt8 = 60) throws -> String {
    try folder.createFile(
      "songs/\(name).mid", try songBytes([Note(tick: 0, key: key, length: 100)]))
  }

  func start(_ arguments: [String]) throws -> Program {
    try Program(["render"] + arguments, variables: ["LD_PRELOAD": folder("faults.so")])
  }

  /// Renders the folder `songs` into the folder `audio` with a report.
  func render(_ more: String...) throws -> ProgramResult {
    try start(
      [
        "-s", bundledSoundFont, "-d", folder("audio"), "--report", folder("report.json"),
        folder("songs"),
      ] + more
    ).result(within: 280)
  }

  func report() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: folder("report.json")))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  func names(_ list: String) throws -> [String] {
    (try report()[list] as? [[String: Any]] ?? []).compactMap {
      ($0["input"] as? String).map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    }.sorted()
  }
}

@Test(arguments: ["1", "2", "8"])
func `a song that crashes FluidSynth is named, and the others are rendered with the same bits`(
  jobs: String
) throws {
  let synth = try FaultySynth()
  let good = (0..<12).map { "good\($0)" }
  for (number, name) in good.enumerated() { try synth.put(name, key: UInt8(40 + number)) }
  let alone = try synth.render("-j", jobs)
  #expect(alone.exitCode == 0, "\(alone.errors)")
  let before = try synth.report()["songs"] as? [[String: Any]]
  for name in ["bad0", "hopeless"] { try synth.put(name, key: 1) }
  let result = try synth.render("-j", jobs)
  #expect(result.exitCode == 1 && result.signal == nil, "\(result.errors)")
  for name in ["bad0", "hopeless"] {
    #expect(result.errors.contains("songs/\(name).mid' with the SoundFont \(bundledSoundFont): "))
  }
  #expect(result.errors.contains("was ended by SIGSEGV"), "\(result.errors)")
  #expect(result.errors.contains("12 songs: "), "\(result.errors)")
  #expect(result.errors.contains("; 2 failed"), "\(result.errors)")
  #expect(result.errors.components(separatedBy: "SoundFont: ").count == 2, "\(result.errors)")
  #expect(try synth.names("songs") == good.sorted())
  #expect(try synth.names("errors") == ["bad0", "hopeless"])
  let hashes = { (songs: [[String: Any]]?) in Set(songs?.compactMap { $0["hash"] as? String } ?? [])
  }
  #expect(try hashes(synth.report()["songs"] as? [[String: Any]]) == hashes(before))
  #expect(try folderNames(synth.folder("audio")).count == 12)
}

@Test func `a SoundFont that crashes FluidSynth is named, and songs with others are rendered`()
  throws
{
  let synth = try FaultySynth()
  let font = synth.folder("crash.sf2")
  try FileManager.default.copyItem(atPath: bundledSoundFont, toPath: font)
  let song = try synth.put("song")
  let lines = (0..<6).map { number in
    #"{"input":"\#(song)","output":"\#(number).wav","soundfont":"\#(number % 2 == 0 ? font : bundledSoundFont)"}"#
  }
  let manifest = try synth.folder.put(Data(lines.joined(separator: "\n").utf8), "list.jsonl")
  let result = try synth.start(["--manifest", manifest, "-d", synth.folder("audio")]).result(
    within: 280)
  #expect(result.exitCode == 5, "\(result.errors)")
  #expect(result.errors.contains("\(font) is not a usable SoundFont"), "\(result.errors)")
  #expect(result.errors.contains("3 songs: "), "\(result.errors)")
  #expect(result.errors.contains("; 3 failed"), "\(result.errors)")
  #expect(try folderNames(synth.folder("audio")).sorted() == ["1.wav", "3.wav", "5.wav"])
}

@Test func `the only SoundFont ends the run if it crashes FluidSynth, with one message`() throws {
  let synth = try FaultySynth()
  let font = synth.folder("crash.sf2")
  try FileManager.default.copyItem(atPath: bundledSoundFont, toPath: font)
  for name in ["a", "b", "c"] { try synth.put(name) }
  for songs in [[synth.folder("songs/a.mid")], [synth.folder("songs")]] {
    let result = try synth.start(["-s", font, "-d", synth.folder("audio")] + songs).result(
      within: 280)
    #expect(result.exitCode == 5, "\(result.errors)")
    #expect(result.errors.hasPrefix("portative: \(font) is not a usable SoundFont"))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }
}

@Test func `a song that never ends in FluidSynth is ended, and the others are rendered`() throws {
  let synth = try FaultySynth()
  for name in ["a", "b", "c"] { try synth.put(name) }
  try synth.put("endless", key: 2)
  let result = try synth.render("--max-stall", "1")
  #expect(result.exitCode == 1, "\(result.errors)")
  #expect(
    result.errors.contains("endless.mid' with the SoundFont \(bundledSoundFont): "),
    "\(result.errors)")
  #expect(result.errors.contains("no progress in 1 second of processor time"), "\(result.errors)")
  #expect(try synth.names("songs") == ["a", "b", "c"])
}

@Test func `a process that is killed is named with its song`() throws {
  let synth = try FaultySynth()
  let song = try synth.put("large", key: 3)
  let result = try synth.start(["-s", bundledSoundFont, "-o", synth.folder("x.wav"), song]).result(
    within: 280)
  #expect(result.exitCode == 1, "\(result.errors)")
  #expect(result.errors.contains("SIGKILL, perhaps because memory ran out"), "\(result.errors)")
  #expect(!synth.folder.names.contains("x.wav"))
}

@Test func `a song from standard input that crashes FluidSynth is not read again`() throws {
  let synth = try FaultySynth()
  let bad = try synth.put("bad", key: 1)
  let program = try Program(
    ["render", "-s", bundledSoundFont, "-o", synth.folder("x.wav"), "-"],
    variables: ["LD_PRELOAD": synth.folder("faults.so")], input: bad)
  let result = try program.result(within: 280)
  #expect(result.exitCode == 1, "\(result.errors)")
  #expect(result.errors.contains("SIGSEGV"), "\(result.errors)")
}

@Test func `a run that continues after a crash can be interrupted, and continued with --resume`()
  throws
{
  let synth = try FaultySynth()
  try synth.put("bad", key: 1)
  try synth.put("good")
  try synth.folder.createFile("songs/long.mid", endlessSong())
  let arguments = [
    "-s", bundledSoundFont, "-d", synth.folder("audio"), "--report", synth.folder("report.json"),
    synth.folder("songs"), "-j", "3",
  ]
  let program = try synth.start(arguments)
  var processes: Set<Int32> = []
  try program.wait {
    processes.formUnion(program.children)
    // The file appears before its entry, which a second run needs.
    let journal = try? String(contentsOfFile: synth.folder("report.json.journal"), encoding: .utf8)
    return processes.count > 1 && journal?.contains("good.wav") == true
  }
  program.send(SIGTERM)
  let result = try program.result(within: 280)
  #expect(result.signal == SIGTERM)
  #expect(result.errors.contains("repeat the command with --resume"), "\(result.errors)")
  try FileManager.default.removeItem(atPath: synth.folder("songs/long.mid"))
  let resumed = try synth.start(arguments + ["--resume"]).result(within: 280)
  #expect(resumed.exitCode == 1)
  #expect(resumed.errors.contains("1 already rendered; 1 failed"), "\(resumed.errors)")
}
