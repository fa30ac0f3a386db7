import Foundation
import MIDIFile
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

private struct Report: Decodable {
  struct Song: Decodable {
    struct Stem: Decodable, Equatable {
      var name: String
      var output: String
      var frames: Int
      var bytes: Int
      var hash: String
      var peakDBFS: Double?
    }
    var output: String
    var frames: Int
    var hash: String
    var stems: [Stem]?
  }
  var songs: [Song]

  init(_ path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
  }
}

private func size(_ path: String) -> Int? {
  try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
}

private func names(_ folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

@Test func `stems lie in a folder beside the song, add up to it, and are reported`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let plain = try render(song, "-q", "--report", folder("plain.json"))
  #expect(plain.exitCode == 0 && names(folder("song.stems")) == [])
  let hash = try Report(folder("plain.json")).songs[0].hash
  #expect(try Report(folder("plain.json")).songs[0].stems == nil)

  let result = try render(song, "-q", "--stems", "channel", "--report", folder("r.json"))
  #expect(result.exitCode == 0, "\(result.errors)")
  let entry = try Report(folder("r.json")).songs[0]
  #expect(entry.hash == hash)
  let stems = try #require(entry.stems)
  #expect(
    stems.map { String($0.output.split(separator: "/")[$0.output.split(separator: "/").count - 1]) }
      == names(folder("song.stems")))
  #expect(stems.count == 3 && stems[2].name == "wet")
  let mix = samples(folder("song.wav"))
  var sum = [Float](repeating: 0, count: mix.count)
  for stem in stems {
    #expect(stem.frames == entry.frames && stem.bytes == size(stem.output))
    #expect(stem.hash.count == 32 && stem.peakDBFS != nil)
    // Float represents 16-bit samples and their sums exactly.
    for (i, sample) in samples(stem.output).enumerated() { sum[i] += sample }
  }
  #expect(sum == mix && peak(mix) > 0.01)
}

@Test func `stems go with folders, formats and parts`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong(), "a.b.mid")
  let result = try render(
    song, "-q", "-d", folder("out"), "--format", "flac", "--stems", "track", "--from", "0.1",
    "--to", "0.3", "--tail", "exact", "--reverb", "off", "--chorus", "off", "--bits", "24")
  #expect(result.exitCode == 0, "\(result.errors)")
  #expect(names(folder("out")) == ["a.b.flac", "a.b.stems"])
  #expect(names(folder("out/a.b.stems")) == ["01 Track 1.flac"])
  let mix = samples(folder("out/a.b.flac"))
  #expect(mix.count == 19_200 && samples(folder("out/a.b.stems/01 Track 1.flac")) == mix)
}

@Test func `stems without a place or without exact timing are wrong usage`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  for (arguments, words) in [
    (["--stems", "channel", "--timing", "stock"], "--stems needs --timing exact"),
    (["--stems", "track", "-o", "-"], "--stems needs a file for the mix"),
    (["--stems", "voice"], "channel"),
  ] {
    let result = try Program(["render", "-s", bundledSoundFont, song] + arguments).result()
    #expect(result.exitCode == ExitCode.usage.rawValue && result.errors.contains(words))
    #expect(result.output.isEmpty && folder.names == ["song.mid"])
  }
}

@Test func `too many tracks for stems name the limit, what there is, and the remedy`() throws {
  let folder = try TemporaryFolder()
  let tracks = try (0..<130).map { track -> StandardMIDIFile.Track in
    let one = try StandardMIDIFile(
      decoding: Array(songBytes([Note(tick: Int64(track), key: 60, length: 10)])))
    return one.tracks[0]
  }
  let file = StandardMIDIFile(
    format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks)
  let song = try folder.put(Data(file.encoded()))
  let result = try render(song, "-q", "--stems", "track")
  #expect(result.exitCode == ExitCode.usage.rawValue)
  for words in ["130 tracks", "128 stems", "by channel"] { #expect(result.errors.contains(words)) }
  #expect(folder.names == ["song.mid"])
}

@Test(arguments: ["song.stems/", ""])
func `resuming makes what is missing of a song's files, and leaves what is whole`(
  _ lost: String
) throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let arguments = [
    "render", "-s", bundledSoundFont, song, "--stems", "track", "--report", folder("r.json"),
  ]
  #expect(try Program(arguments).result().exitCode == 0)
  let kept = try Program(arguments + ["--resume"]).result()
  #expect(kept.errors.contains("already rendered"))
  let path = folder(lost.isEmpty ? "song.wav" : lost + "wet.wav")
  try FileManager.default.removeItem(atPath: path)
  #expect(try Program(arguments + ["--resume"]).result().exitCode == 0)
  #expect(size(path) != nil)
  // Without stems the recipe differs, so the song is rendered again.
  let other = try Program(
    ["render", "-s", bundledSoundFont, song, "--report", folder("r.json"), "--resume"]).result()
  #expect(!other.errors.contains("already rendered"))
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `a disk that fills up under stems leaves neither files nor folder`() throws {
  let folder = try TemporaryFolder()
  let long = try folder.put(endlessSong())
  let short = try folder.put(shortSong(), "short.mid")
  let disk = try TemporaryFolder()
  // The mix of the short song fits, but not all of its stems: completing the last one fails.
  try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=1200k") == 0)
  defer { umount(disk.path) }
  for song in [long, short] {
    let result = try render(song, "-q", "-d", disk.path, "--stems", "channel")
    #expect(result.exitCode == ExitCode.outputNotWritten.rawValue)
    #expect(result.errors.contains("No space left on device"), "\(result.errors)")
    #expect(disk.names == [])
    let deep = try render(song, "-q", "-d", disk("a/b"), "--stems", "channel", "--labels", "jsonl")
    #expect(deep.exitCode == ExitCode.outputNotWritten.rawValue)
    #expect(disk.names == [])
  }
}

@Test func `an interrupted song leaves no stems`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(endlessSong())
  let program = try Program(["render", "-s", bundledSoundFont, song, "--stems", "track"])
  try program.wait { folder.names.contains("song.stems") }
  program.send(SIGTERM)
  #expect(try program.result().signal == SIGTERM)
  #expect(folder.names == ["song.mid"])
}

@Test func `songs of a manifest whose stems would share a folder are told`() throws {
  let folder = try TemporaryFolder()
  _ = try folder.put(shortSong())
  let lines = ["wav", "flac"].map {
    #"{"input": "\#(folder("song.mid"))", "output": "\#(folder("a."))\#($0)", "stems": "track"}"#
  }
  let manifest = try folder.put(Data(lines.joined(separator: "\n").utf8), "list.jsonl")
  let result = try render("--manifest", manifest)
  #expect(result.errors.contains("a.stems"), "\(result.errors)")
  #expect(names(folder("a.stems")).count == 2)
}
