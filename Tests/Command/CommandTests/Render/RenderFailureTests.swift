import FluidSynthEngine
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// Expects a run to fail with an exit code and a single message that contains `words`, and to leave only `names`.
private func expectFailure(
  _ code: ExitCode, _ words: String..., arguments: [String], folder: TemporaryFolder,
  leaves names: [String] = ["song.mid"], variables: [String: String] = [:],
  location: SourceLocation = #_sourceLocation
) throws {
  let result = try Program(["render"] + arguments, variables: variables).result()
  #expect(result.exitCode == code.rawValue, "\(result.errors)", sourceLocation: location)
  let lines = result.errors.split(separator: "\n")
  #expect(lines.count == 1, "\(result.errors)", sourceLocation: location)
  #expect(
    result.errors.hasPrefix(code == .usage ? "portative render: " : "portative: "),
    "\(result.errors)", sourceLocation: location)
  for word in words {
    #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location)
  }
  #expect(result.output.isEmpty, sourceLocation: location)
  #expect(folder.names == names, sourceLocation: location)
}

@Test func `a reverb engine that is not there is refused with those that are`() throws {
  let folder = try TemporaryFolder()
  let result = try render(folder.put(shortSong()), "--reverb-engine", "cathedral")
  #expect(result.exitCode == 2)
  #expect(result.errors.contains("engine 'cathedral'"))
  for name in ReverbEngines.available.names {
    #expect(result.errors.contains(name))
    #expect(
      try render(folder.put(shortSong()), "-o", "/dev/null", "--reverb-engine", name).exitCode == 0)
  }
}

@Test func `an output that cannot be made is exit code 4`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  for (path, words) in [
    (folder("none/x.wav"), "create the folder first"), ("/proc/x.wav", "cannot create"),
    ("/dev/full", "No space left on device"),
  ] {
    try expectFailure(
      .outputNotWritten, path, words,
      arguments: ["-q", "-s", bundledSoundFont, song, "-o", path], folder: folder)
  }
  try expectFailure(
    .outputNotWritten, "create the folder first",
    arguments: ["-s", bundledSoundFont, song, "--report", folder("none/r.json")], folder: folder)
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `a disk that fills up ends the render at once, and nothing is left on it`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(endlessSong())
  let disk = try TemporaryFolder()
  try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=256k") == 0)
  defer { umount(disk.path) }
  try expectFailure(
    .outputNotWritten, "No space left on device; free some space, or choose another folder",
    arguments: ["-q", "-s", bundledSoundFont, song, "-d", disk.path], folder: folder)
  #expect(disk.names == [])
}

@Test func `a song that cannot be read is exit code 3`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(Data())
  let arguments = ["-s", bundledSoundFont, song]
  try expectFailure(.inputUnusable, "the file is empty", arguments: arguments, folder: folder)
  _ = try folder.put(Data("MThd".utf8))
  try expectFailure(
    .inputUnusable, "ends inside its header at byte 0", arguments: arguments, folder: folder)
  _ = try folder.put(Data(repeating: 7, count: 10_000))
  try expectFailure(
    .inputUnusable, #"no "MThd" in its first 4100 bytes"#, arguments: arguments, folder: folder)
  _ = try folder.put(shortSong()[..<14])
  try expectFailure(.inputUnusable, "no track follows", arguments: arguments, folder: folder)
  try expectFailure(
    .usage, "--output names one file for a folder of songs: use --directory DIR",
    arguments: ["-s", bundledSoundFont, folder.path, "-o", folder("x.wav")], folder: folder)
  try expectFailure(
    .inputUnusable, "cannot read '\(folder("none.mid"))': No such file or directory",
    arguments: ["-s", bundledSoundFont, folder("none.mid")], folder: folder)
}

@Test func `a song of absurd size is refused unread`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(Data())
  try #require(truncate(song, 2 << 30) == 0)
  try expectFailure(
    .inputUnusable, "must be at most 1073741824 bytes",
    arguments: ["-s", bundledSoundFont, song], folder: folder)
}

@Test func `a song that damage has made endless is refused, and it is said where`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(
    songBytes([
      Note(tick: 0, key: 60, length: 100), Note(tick: 20_000_000, key: 60, length: 100),
    ]))
  let arguments = ["-s", bundledSoundFont, song, "--tail", "exact"]
  try expectFailure(
    .inputUnusable, "is 5:47:13 long, more than --max-length 2:00:00",
    "it has no events from 0:00 to 5:47:13, so it may be damaged; if not, raise that limit, or use --to",
    arguments: arguments, folder: folder)
  try expectFailure(
    .inputUnusable, "more than --max-length 1:00:00",
    arguments: arguments + ["--max-length", "1:00:00"], folder: folder)
  // A part of the song is short enough.
  #expect(try render(song, "--to", "0.2", "--tail", "exact", "-q").exitCode == 0)
}

@Test func `a SoundFont of no use is exit code 5, said once for all songs`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let names = ["font.sf2", "song.mid"]
  let font = try folder.put(Data("no sounds".utf8), "font.sf2")
  let arguments = ["-s", font, song, "-d", folder.path]
  try expectFailure(
    .soundFontUnusable, "is not a SoundFont", arguments: arguments, folder: folder,
    leaves: names)
  var bytes = try Data(contentsOf: URL(filePath: bundledSoundFont))
  bytes = bytes[..<(bytes.count / 2 & ~1)]
  _ = try folder.put(bytes, "font.sf2")
  try expectFailure(
    .soundFontUnusable, "is truncated", arguments: arguments, folder: folder, leaves: names)
  // The length in the header is valid now, but those of the chunks are not.
  withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) {
    bytes.replaceSubrange(4..<8, with: $0)
  }
  _ = try folder.put(bytes, "font.sf2")
  try expectFailure(
    .soundFontUnusable, "is truncated", arguments: arguments, folder: folder, leaves: names)
  // The chunks are complete, but contain no samples and no presets.
  _ = try folder.put(Data("RIFF\u{4}\0\0\0sfbk".utf8), "font.sf2")
  try expectFailure(
    .soundFontUnusable, "is not a usable SoundFont",
    arguments: arguments + [try folder.put(shortSong(), "b.mid")], folder: folder,
    leaves: ["b.mid"] + names)
  _ = try #require(unlink(folder("b.mid")) == 0)
  try expectFailure(
    .soundFontUnusable, "PORTATIVE_SOUNDFONT", "No such file", arguments: [song], folder: folder,
    leaves: names, variables: ["PORTATIVE_SOUNDFONT": "/none.sf2"])
}

@Test(arguments: [
  ["--rate", "1000000"], ["--rate", "192000"], ["--gain", "40"],
  ["--tail", "5", "--max-tail", "2"],
  ["--from", "5", "--to", "3"], ["-o", "x.wav", "-d", "x"], ["--bits", "24", "-o", "x.ogg"],
])
func `what cannot be asked for is exit code 2`(arguments: [String]) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  try expectFailure(.usage, arguments: [song] + arguments, folder: folder)
}

@Test func `strictness refuses a repaired file before it is rendered, and clipping after`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong() + Data("junk at the end".utf8))
  try expectFailure(
    .warnings, "byte ", "something after the last chunk is no chunk", "under --strict",
    arguments: ["--strict", "-s", bundledSoundFont, song], folder: folder)
  _ = try folder.put(shortSong())
  try expectFailure(
    .warnings, "clipped, by up to",
    arguments: ["--strict", "-q", "-s", bundledSoundFont, song, "--gain", "33"], folder: folder)
  #expect(try render("--strict", song).exitCode == 0)
}

@Test func `a repaired file is rendered, and its repairs are reported`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong().dropLast(4))
  let result = try render(song, "--report", "-")
  #expect(result.exitCode == 0)
  #expect(result.errors.contains("warning: repaired: byte "))
  #expect(result.outputText.contains("\"repairs\":[{"))
}

@Test(arguments: [SIGINT, SIGTERM, SIGHUP])
func `a signal removes what is half written, and the program dies of it`(number: CInt) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(endlessSong())
  let program = try Program(
    ["render", "-s", bundledSoundFont, song, "--report", folder("report.json")])
  try program.wait { program.unnamedBytes > 100_000 }
  kill(program.process.processIdentifier, number)
  let result = try program.result()
  #expect(result.signal == number)
  #expect(folder.names == ["song.mid"])
  #expect(!result.errors.contains("portative:"), "\(result.errors)")
}

@Test func `when the reader of a pipe goes, the program ends by SIGPIPE`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(endlessSong())
  let shell = Process()
  shell.executableURL = URL(filePath: "/bin/bash")
  shell.arguments = [
    "-c", #""$0" render -q -s "$1" "$2" -o - | head -c 1000 >/dev/null; exit ${PIPESTATUS[0]}"#,
    Program.path.path(), bundledSoundFont, song,
  ]
  try shell.run()
  shell.waitUntilExit()
  #expect(shell.terminationStatus == 128 + SIGPIPE)
}

private let largeSoundFont = "/usr/share/sounds/sf2/FluidR3_GM.sf2"

@Test(
  .enabled(if: access(largeSoundFont, R_OK) == 0, "it needs fluid-soundfont-gm"),
  .disabled(if: Sanitizer.isLoaded, "it takes more memory than the limit itself"))
func `too little memory for a SoundFont is not taken for a damaged one`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  // With less than 200 MB, FluidSynth dereferences the null pointer that it gets instead of some smaller block.
  let program = try Program(
    ["render", "-s", largeSoundFont, song], through: ["/usr/bin/prlimit", "--as=250000000"])
  let result = try program.result()
  #expect(result.exitCode == ExitCode.failed.rawValue)
  #expect(result.errors.contains("not enough memory to load the SoundFont \(largeSoundFont): "))
  #expect(result.errors.contains("ulimit -v"))
  #expect(folder.names == ["song.mid"])
}

@Test(
  .enabled(if: access(largeSoundFont, R_OK) == 0, "it needs fluid-soundfont-gm"),
  .disabled(if: Sanitizer.isLoaded, "it takes more memory than the limit itself"))
func `a crash of FluidSynth under a limit of memory names the limit`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  // Where FluidSynth crashes depends on its version, and some limits are reported.
  var crashes = 0
  for limit in stride(from: 100, to: 200, by: 20) {
    let program = try Program(
      ["render", "-s", largeSoundFont, song], through: ["/usr/bin/prlimit", "--as=\(limit << 20)"])
    let result = try program.result()
    #expect(result.exitCode != 0)
    #expect(result.errors.contains("ulimit -v"), "\(limit) MB: \(result.errors)")
    if result.errors.contains("SIG") {
      crashes += 1
      #expect(result.errors.contains("which is \(limit) MB"))
    }
  }
  #expect(crashes > 0)
}

/// Root may have any number of threads, so the program runs as another user.
@Test(.enabled(if: geteuid() == 0, "it starts a program as another user"))
func `a thread that cannot be started is an error with the limit and the remedy`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  try #require(chmod(folder.path, 0o777) == 0)
  let user = "--reuid=\(UInt32.random(in: 100_000...2_000_000_000))"
  // The checkout may be in a private folder, such as root's home: the capability lets the user start the program there,
  // but the program asks whether the user may read the SoundFont.
  let access = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
  let fonts = try TemporaryFolder()
  try #require(chmod(fonts.path, 0o755) == 0)
  let font = try fonts.put(Data(contentsOf: URL(filePath: bundledSoundFont)), "font.sf2")
  let wrapper = ["/usr/bin/setpriv", user, "--clear-groups"] + access
  let program = try Program(
    ["render", "-s", font, "-j", "8", song],
    through: wrapper + ["/usr/bin/prlimit", "--nproc=3"])
  let result = try program.result()
  #expect(result.exitCode == ExitCode.failed.rawValue)
  #expect(result.errors.contains("cannot start a thread: pthread_create failed: "))
  #expect(result.errors.contains("Resource temporarily unavailable: user "))
  #expect(result.errors.contains(" may have 3 processes and threads (ulimit -u) and has "))
  #expect(folder.names == ["song.mid"])
}

@Test func `standard output that takes no JSON is exit code 4, and a reader that ends is SIGPIPE`()
  throws
{
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  for arguments in [["--json"], ["--dry-run"], ["--dry-run", "--json"]] {
    let words = ["render", "--quiet", "-s", bundledSoundFont] + arguments + [song]
    let full = try Program(words, outputPath: "/dev/full").result()
    #expect(full.exitCode == ExitCode.outputNotWritten.rawValue, "\(arguments)")
    #expect(full.errors.hasPrefix("portative: cannot write standard output: No space left"))
    let closed = try Program(words, through: ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"]).result()
    #expect(closed.exitCode == ExitCode.outputNotWritten.rawValue, "\(arguments)")
    let gone = try Program(
      words, through: ["/bin/bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "bash"]
    ).result()
    // The program succeeds if the reader was still there when it wrote.
    #expect([0, 141].contains(gone.exitCode), "\(arguments)")
  }
}

@Test func `standard streams that are closed are not taken for files`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(endlessSong())
  let program = try Program(
    ["render", "-s", bundledSoundFont, "-o", folder("x.wav"), song],
    through: ["/bin/sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh"])
  try program.wait { program.unnamedBytes > 0 }
  for number in 0...2 {
    let link = "/proc/\(program.process.processIdentifier)/fd/\(number)"
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
  }
  program.send(SIGTERM)
  _ = try program.result()
}
