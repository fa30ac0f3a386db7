import AudioFile
import FluidSynthEngine
import Foundation
import ProgramTestSupport
import TestSupport
import OfflineRenderer
import Testing

@testable import BatchRenderer
@testable import LocalSystem

private func songs(_ text: String, _ options: SongOptions = SongOptions()) throws -> [SongRequest] {
  let folder = try TemporaryFolder()
  return try Manifest.read(folder.put(Data(text.utf8), "list"), options)
}

@Test func `a line has a song, where it goes, and any option of a song`() throws {
  var common = SongOptions()
  common.gain = 2
  common.reverb = false
  let read = try songs(
    """
    {"input": "a/b.mid", "output": "c.flac", "gain": -3.5, "rate": 44100, "timing": "stock",
    """.replacing("\n", with: "")
      + #" "raw": false, "chorus": false, "reverb": true, "from": "1:05", "bits": 24}"# + "\r\n\n"
      + #"{"input":"/x/d.mid","raw":true,"soundfont":null}"#, common)
  #expect(read.map(\.problem) == [nil, nil])
  #expect(read.map(\.input) == ["a/b.mid", "/x/d.mid"])
  // A relative path without `..` is mirrored below `--directory`.
  #expect(read.map(\.name) == ["a/b.mid", "d.mid"])
  #expect(read.map(\.output) == ["c.flac", nil])
  var expected = SongOptions()
  expected.gain = -3.5
  expected.sampleRate = 44100
  expected.timing = .stock
  expected.chorus = false
  expected.start = 65
  expected.bits = .b24
  #expect(read[0].options == expected)
  common.isRaw = true
  #expect(read[1].options == common)
}

@Test(arguments: [
  ("{", "it must be a JSON object with values of options"),
  ("[]", "it must be a JSON object"),
  (#"{"input": ["a.mid"]}"#, #"it has no song: "input" must be a path"#),
  (#"{"input": "a.mid", "gain": [1, 2]}"#, "'gain' must be one value, but was a list"),
  (#"{"input": "a.mid", "effect": [[]]}"#, "a value in a list must be a text or a number"),
  (#"{"output": "a.wav"}"#, #"it has no song: "input" must be a path"#),
  (#"{"input": 3}"#, "it has no song"),
  (#"{"input": "-"}"#, #""input" must be a path, but was '-', which is standard input"#),
  (#"{"input": "a.mid", "output": "-"}"#, #""output" must be the path of a file, but was '-'"#),
  (#"{"input": "a.mid", "gian": 3}"#, "'gian' is not an option of a song: did you mean 'gain'?"),
  (#"{"input": "a.mid", "jobs": 3}"#, "'jobs' is not an option of a song"),
  (#"{"input": "a.mid", "gain": 99}"#, "--gain must be a number from -60 to 33.9, but was '99'"),
  (#"{"input": "a.mid", "raw": "yes"}"#, "'raw' must be true or false, but was 'yes'"),
  (#"{"input": "a.mid", "from": 5, "to": 4}"#, "--to 4 is not after --from 5"),
  (#"{"input": "a.mid", "labels": "../a.csv"}"#, #""labels" must be jsonl, csv, npz or mid"#),
  (#"{"input": "a.mid", "output": "a.ogg", "format": "wav"}"#, "'a.ogg' has the ending of ogg"),
])
func `an invalid line is a song with a problem`(line: String, reason: String) throws {
  let read = try songs("{\"input\": \"ok.mid\"}\n\(line)\n{\"input\": \"fine.mid\"}\n")
  #expect(read.map { $0.problem == nil } == [true, false, true])
  let message = try #require(read[1].problem?.message)
  #expect(message.hasPrefix("line 2 of '") && message.contains(": \(reason)"), "\(message)")
  #expect(read[1].problem?.kind == .usage)
}

@Test func `a line that is too long is not read`() throws {
  let read = try songs("{\"input\": \"\(String(repeating: "x", count: 1 << 20))\"}")
  #expect(read[0].problem?.message.contains("it must have at most 1048576 bytes") == true)
}

@Test func `a manifest that cannot be read is exit code 3`() throws {
  let failure = #expect(throws: Failure.self) { try Manifest.read("/none", SongOptions()) }
  #expect(failure?.kind == .inputUnusable)
}
