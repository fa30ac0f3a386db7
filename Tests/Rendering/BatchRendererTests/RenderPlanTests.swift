import AudioFile
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer
@testable import LocalSystem

extension RenderPlan {
  fileprivate var works: [Work] { jobs.compactMap { try? $0.work.get() } }
}

private func plan(_ line: String) throws(Failure) -> RenderPlan {
  try RenderPlan(RenderOptions(line))
}

@Test(arguments: [
  ("a/Song.MID", "a/Song.wav"), ("a.b.midi", "a.b.wav"), ("song", "song.wav"),
  ("x.kar --format ogg", "x.ogg"), (".mid", ".mid.wav"), ("v1.2 --raw", "v1.2.raw"),
  ("a/b.mid -d out", "out/b.wav"), ("b.mid -d /", "/b.wav"), ("a.mid -o c.d/e.flac", "c.d/e.flac"),
  ("a.mid -o /dev/null", "/dev/null"), ("- -o x.opus", "x.opus"),
])
func `names the file`(line: String, path: String) throws {
  #expect(try plan(line).works.map(\.destination) == [.file(path)])
}

@Test func `streams to standard output, as WAV unless another format is requested`() throws {
  let wav = try plan("a.mid -o -")
  #expect(wav.works.map(\.destination) == [.descriptor(1, name: "standard output")])
  #expect(try wav.works[0].format == AudioFormat(.wav))
  #expect(try plan("a.mid -o - --format mp3").works[0].format == AudioFormat(.mp3))
  #expect(try plan("a.mid -o - --raw --bits 32f").works[0].format == AudioFormat(.raw, bits: .b32f))
}

@Test(arguments: [
  (
    "a.mid -o a.xyz",
    "'a.xyz' does not end in a known file type (wav, rf64, w64, flac, ogg, opus, mp3, aiff, au, raw): use one, "
      + "or pass it with --format"
  ),
  ("a.mid -o a.ogg --bits 24", "ogg has no bits per sample, but --bits 24 was given"),
  ("a.mid -o a.flac --bits 32f", "flac supports 16 or 24 bits, but --bits 32f was given"),
  ("a.mid -o a.opus --rate 44100", "opus does not support 44100 frames per second"),
  ("a.mid -o - --format aiff", "aiff cannot be written to a pipe"),
  ("a.mid --report a.wav", "the report would overwrite the output 'a.wav'"),
])
func `refuses before a file is touched`(line: String, beginning: String) {
  let failure = #expect(throws: Failure.self) { try plan(line) }
  #expect(failure?.kind == .usage)
  #expect(failure?.message.hasPrefix(beginning) == true, "\(failure?.message ?? "")")
}

@Test func `never writes a song over itself`() throws {
  let folder = try TemporaryFolder()
  _ = FileManager.default.createFile(atPath: folder("a.mid"), contents: Data())
  let failure = #expect(throws: Failure.self) {
    try plan("\(folder("./a.mid")) --raw -o \(folder("a.mid"))")
  }
  #expect(failure?.message.contains("would overwrite a song") == true)
  #expect(throws: Failure.self) {
    try plan("\(folder("a.mid")) --report \(folder("./a.mid"))")
  }
}

@Test func `of songs with one output path, in any spelling, only the first is rendered`() throws {
  let jobs = try plan("x/a.mid y/a.mid x//../x/b.kar -d out").jobs
  #expect(jobs.map { $0.work.failure == nil } == [true, false, true])
  let failure = try #require(jobs[1].work.failure)
  #expect(failure.kind == .usage)
  #expect(
    failure.message.hasPrefix(
      "'out/a.wav' would be the output of both 'x/a.mid' and 'y/a.mid'"))
  #expect(try plan("a.mid ./a.mid").jobs[1].work.failure != nil)
  // A device accepts any number of songs.
  let manifest = try TemporaryFolder()
  let path = try manifest.put(
    Data(
      """
      {"input":"a.mid","output":"/dev/null"}
      {"input":"b.mid","output":"/dev/null"}
      """.utf8),
    "list")
  #expect(try plan("--manifest \(path) --raw").jobs.allSatisfy { $0.work.failure == nil })
}
