import AudioFile
import FluidSynthEngine
import Glibc
import TestSupport
import Testing

@testable import OfflineRenderer

private func rendered(_ folder: TemporaryFolder, picture: String = "a.png") throws -> RenderedFile {
  try RenderedFile(
    to: .file("\(folder.path)/a.raw"), format: AudioFormat(.raw), sampleRate: 48_000,
    measuresLoudness: true,
    picture: try PictureFile(
      path: "\(folder.path)/\(picture)", title: "A phrase",
      sounds: PlayedSounds(presets: (try? SoundFont.open(bundledSoundFont).presets()) ?? []),
      named: "Made up"))
}

@Test func `a picture appears with its audio, and not before`() throws {
  let folder = try TemporaryFolder()
  var file = try rendered(folder)
  file.begin(try FrameRange(phrase, RenderSettings()))
  try file.write(interleaved: [Float](repeating: 0.1, count: 20_000).span)
  #expect(!folder.names.contains("a.png"))
  _ = try file.finish()
  #expect(folder.names.sorted() == ["a.png", "a.raw"])
}

@Test func `a discarded song leaves no picture`() throws {
  let folder = try TemporaryFolder()
  var file = try rendered(folder)
  file.begin(try FrameRange(phrase, RenderSettings()))
  try file.write(interleaved: [Float](repeating: 0.1, count: 20_000).span)
  _ = consume file
  #expect(folder.names == [])
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `a disk that is full leaves neither the picture nor the audio`() throws {
  let folder = try TemporaryFolder()
  try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=28k") == 0)
  defer { umount2(folder.path, Int32(MNT_DETACH)) }
  var file = try rendered(folder)
  file.begin(try FrameRange(phrase, RenderSettings()))
  try file.write(interleaved: [Float](repeating: 0.1, count: 2000).span)
  do {
    _ = try file.finish()
    Issue.record("there is no room for a picture")
  } catch {
    guard case .cannotWrite(let path, let code) = error else { throw error }
    #expect(path.hasSuffix("a.png") && code == ENOSPC)
  }
  #expect(folder.names == [])
}

@Test func `a missing folder for a picture is reported before the song is rendered`() throws {
  let folder = try TemporaryFolder()
  #expect(throws: AudioFileError.cannotCreate(path: "\(folder.path)/none/a.png", code: ENOENT)) {
    _ = try rendered(folder, picture: "none/a.png")
  }
}
