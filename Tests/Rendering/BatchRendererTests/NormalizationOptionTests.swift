import Foundation
import OfflineRenderer
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer
@testable import LocalSystem

@Test(arguments: [
  ("-1dBTP", Normalization.truePeak(-1)), ("0dBTP", .truePeak(0)), ("-60DBTP", .truePeak(-60)),
  ("-16LUFS", .loudness(-16)), ("-23.5lufs", .loudness(-23.5)), ("-70LUFS", .loudness(-70)),
])
func `a level is a number and its unit`(text: String, level: Normalization) throws {
  #expect(try Normalization(text) == level)
  #expect(try Normalization(level.text) == level)
}

@Test(arguments: [
  "", "-1", "dBTP", "1dBTP", "-60.1dBTP", "-71LUFS", "-16LUFS,-1dBTP", "-16 dB", "nanLUFS",
])
func `what is no level is refused with what would be`(text: String) throws {
  do throws(Failure) {
    _ = try Normalization(text)
    Issue.record("'\(text)' is no level")
  } catch {
    #expect(error.kind == .usage)
    #expect(error.message.contains("-60dBTP to 0dBTP") && error.message.hasSuffix("'\(text)'"))
  }
}

@Test func `a normalized song is reported with its gain and its levels`() throws {
  let folder = try TemporaryFolder()
  let result = try render(folder.put(shortSong()), "--normalize", "-1dBTP", "--json")
  #expect(result.exitCode == 0, "\(result.errors)")
  let text = String(decoding: result.output, as: UTF8.self)
  #expect(text.contains("\"normalizationGain\":"))
  #expect(text.contains("\"truePeakDBTP\":-1,") || text.contains("\"truePeakDBTP\":-1.01,"))
  #expect(abs(peak(samples(folder("song.wav"))) - 0.89) < 0.03)
}

@Test func `an unreachable loudness is a warning, and fails under --strict`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let result = try render(song, "--normalize", "-1LUFS")
  #expect(result.exitCode == 0)
  #expect(result.errors.contains("LUFS instead of -1: a higher gain would exceed -1 dBTP"))
  #expect(
    try render(song, "--normalize", "-1LUFS", "--strict", "-o", folder("b.wav")).exitCode == 6)
  #expect(!FileManager.default.fileExists(atPath: folder("b.wav")))
}

@Test func `a normalized song can be piped`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  let piped = try render(song, "--normalize", "-3dBTP", "--raw", "-o", "-")
  #expect(piped.exitCode == 0)
  #expect(try render(song, "--normalize", "-3dBTP", "--raw").exitCode == 0)
  let file = try Data(contentsOf: URL(filePath: folder("song.raw")))
  #expect(piped.output == file && file.count > 100_000)
}
