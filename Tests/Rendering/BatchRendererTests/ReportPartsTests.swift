import AudioFile
import Configuration
import FluidSynthEngine
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer
@testable import LocalSystem

private struct IgnoringObserver: RenderObserver {
  func willContinue(after ended: [RenderPlan.Job]) {}
  func willPlay(with soundFont: FoundSoundFont) {}
  func didBegin(_ job: RenderPlan.Job, seconds: Double) {}
  func didAdvance(_ job: RenderPlan.Job, by seconds: Double) {}
  func didEnd(_ job: RenderPlan.Job, _ outcome: SongOutcome) {}
}

/// Renders a part of a list, and writes its report to `path`.
private func render(
  _ shard: String, of folder: TemporaryFolder, to path: String, _ options: [String] = []
) throws {
  let session = try RenderSession(
    RenderOptions(
      [
        "-s", bundledSoundFont, "--to", "0.1", "--tail", "exact", "-d", folder("o"), "--shard",
        shard,
        "--report", path, folder("songs"),
      ] + options))
  try #require(session.run(IgnoringObserver()).failureKind == nil)
}

/// Renders all parts of a list of three songs and returns the paths of their reports.
private func parts(_ count: Int, in folder: TemporaryFolder, _ options: String...) throws
  -> [String]
{
  for name in ["a", "b", "c"] { try folder.createFile("songs/\(name).mid", shortSong()) }
  return try (1...count).map { number in
    let path = folder("\(number)\(options.joined()).json")
    try render("\(number)/\(count)", of: folder, to: path, options)
    return path
  }
}

private func expectRefusal(_ paths: [String], _ words: String) {
  let failure = #expect(throws: Failure.self) { try ReportParts(paths) }
  #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
}

@Test func `names missing and duplicate parts`() throws {
  let folder = try TemporaryFolder()
  let paths = try parts(3, in: folder)
  _ = try ReportParts(paths.reversed())
  expectRefusal([paths[1]], "2 of 3 parts missing: also render --shard 1/3, 3/3")
  expectRefusal(paths + [paths[0]], "are both part 1 of 3")
}

@Test func `refuses parts of different lists, or rendered differently`() throws {
  let folder = try TemporaryFolder()
  let paths = try parts(2, in: folder)
  let louder = try parts(2, in: folder, "--gain=3")
  expectRefusal([paths[0], louder[1]], "were not rendered with the same options and SoundFont")
  try folder.createFile("songs/d.mid", shortSong())
  let more = try parts(2, in: folder, "--gain=0")
  expectRefusal([paths[0], more[1]], "are not parts of one list")
}

@Test func `refuses parts that different libraries have rendered, and names both`() throws {
  let folder = try TemporaryFolder()
  let paths = try parts(2, in: folder)
  let text = try String(contentsOfFile: paths[1], encoding: .utf8)
  let version = FluidSynthLibrary.version
  let other = text.replacing("\"\(version)\"", with: "\"9.8.7\"")
  try #require(other != text)
  try other.write(toFile: paths[1], atomically: true, encoding: .utf8)
  expectRefusal(
    paths,
    "'\(paths[0])' was rendered with FluidSynth \(version), but '\(paths[1])' with FluidSynth 9.8.7, which "
      + "sounds different")
  // The same version, but built differently.
  let built = text.replacing("\"choke volume", with: "\"a patch\", \"choke volume")
  try #require(built != text)
  try built.write(toFile: paths[1], atomically: true, encoding: .utf8)
  expectRefusal(paths, "with FluidSynth \(version) (a patch; ")
}

@Test func `another library has another recipe`() throws {
  let format = try AudioFormat(.wav)
  let settings = RenderReport.Settings(SongOptions(), format: format)
  var library = RenderReport.Library.loaded
  func recipe() -> String { RenderReport.recipe(settings, soundFontHash: "x", library: library) }
  let present = recipe()
  #expect(present == RenderReport.recipe(settings, soundFontHash: "x"))
  library.traits.append("a patch")
  #expect(recipe() != present)
  library = .loaded
  library.version = "9.8.7"
  #expect(recipe() != present)
}

/// Parts are assigned by length, so the longer song is in both parts and another song in none.
@Test func `refuses parts between which a song has changed its length`() throws {
  let folder = try TemporaryFolder()
  let before = try parts(2, in: folder)
  let song = folder("songs/c.mid")
  let longer = try Data(contentsOf: URL(filePath: song)) + Data(count: 1000)
  _ = try folder.put(longer, "songs/c.mid")
  let after = folder("after.json")
  try render("2/2", of: folder, to: after)
  expectRefusal([before[0], after], "songs may have been added, removed or changed")
}

@Test func `refuses other files`() throws {
  let folder = try TemporaryFolder()
  expectRefusal([folder("none")], "cannot read the report")
  expectRefusal(
    [try folder.put(Data("{}".utf8), "x")], "is not a report of portative render")
}

@Test func `a report of all songs is a list of one part`() throws {
  let folder = try TemporaryFolder()
  let tally = try ReportParts(parts(1, in: folder)).write(to: folder("all.json"))
  #expect(tally.rendered == 3 && tally.failureKind == nil)
}
