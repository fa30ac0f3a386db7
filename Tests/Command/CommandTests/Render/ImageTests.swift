import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@Test func `an image lies beside the audio, is the same every time, and changes no sample`() throws
{
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  #expect(try render(song, "-o", folder("plain.wav")).exitCode == 0)
  var images: [Data] = []
  for name in ["a.wav", "b.wav"] {
    let result = try render(song, "--image", "-o", folder(name))
    #expect(result.exitCode == 0, "\(result.errors)")
    images.append(try Data(contentsOf: URL(filePath: folder(String(name.prefix(1)) + ".png"))))
  }
  #expect(images[0].starts(with: [0x89, 0x50, 0x4E, 0x47]) && images[0] == images[1])
  let audio = try ["plain.wav", "a.wav"].map { try Data(contentsOf: URL(filePath: folder($0))) }
  #expect(audio[0] == audio[1])
}

@Test(arguments: ["-", "/dev/null"])
func `an image needs a file to lie beside`(output: String) throws {
  let folder = try TemporaryFolder()
  let result = try render(folder.put(shortSong()), "--image", "-o", output)
  #expect(result.exitCode == 2)
  #expect(result.errors.contains("name it with --output FILE"))
}

@Test func `an image that cannot be written fails its song`() throws {
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  try FileManager.default.createDirectory(
    atPath: folder("song.png"), withIntermediateDirectories: true)
  let result = try render(song, "--image")
  #expect(result.exitCode == 4)
  #expect(result.errors.contains("song.png"))
  #expect(!FileManager.default.fileExists(atPath: folder("song.wav")))
}

@Test func `without fonts an image has no text, which is told of once`() throws {
  let folder = try TemporaryFolder()
  try Data("<fontconfig></fontconfig>".utf8).write(to: URL(filePath: folder("fonts.conf")))
  let songs = try [folder.put(shortSong(), "a.mid"), folder.put(shortSong(), "b.mid")]
  let result = try Program.run(
    "render", "-s", bundledSoundFont, "--image", songs[0], songs[1],
    variables: ["FONTCONFIG_FILE": folder("fonts.conf")])
  #expect(result.exitCode == 0, "\(result.errors)")
  #expect(result.errors.components(separatedBy: "no fonts").count == 2)
  #expect(FileManager.default.fileExists(atPath: folder("b.png")))
}

@Test(arguments: [
  ("libkissfft-float.so.131", "libkissfft-float131"),
  ("libpangocairo-1.0.so.0", "libpangocairo-1.0-0"),
])
func `without a library for images all else works, and an image names its package`(
  library: String, package: String
) throws {
  let folder = try TemporaryFolder()
  // An empty file at the library's name, which the loader rejects like a missing one.
  try Data().write(to: URL(filePath: folder(library)))
  let song = try folder.put(shortSong())
  let variables = ["LD_LIBRARY_PATH": folder.path]
  let plain = try Program.run("render", "-s", bundledSoundFont, song, variables: variables)
  #expect(plain.exitCode == 0, "\(plain.errors)")
  let drawn = try Program.run(
    "render", "-s", bundledSoundFont, "--image", "-o", folder("drawn.wav"), song,
    variables: variables)
  #expect(drawn.exitCode == 4)
  #expect(drawn.errors.contains(library) && drawn.errors.contains("apt install \(package)"))
}

@Test
func `an image has the name and the format that its file has, and the style that is asked for`()
  throws
{
  let folder = try TemporaryFolder()
  let song = try folder.put(shortSong())
  func image(_ name: String, _ arguments: String...) throws -> Data {
    let result = try run(arguments + [song, "-o", folder("song.wav")])
    #expect(result.exitCode == 0, "\(result.errors)")
    return try Data(contentsOf: URL(filePath: folder(name)))
  }
  let dark = try image("song.png", "--image")
  #expect(try image("song.png", "--image", "png") == dark)
  let svg = try image("song.svg", "--image", "svg")
  #expect(svg.starts(with: Data("<?xml".utf8)))
  #expect(try image("other.svg", "--image", folder("other.svg")) == svg)
  #expect(try image("song.svg", "--image=svg", "--image-style", "light") != svg)
  #expect(try image("song.png", "--image", "--image-style", "light") != dark)
  // A name of a preset of the SoundFont.
  #expect(String(decoding: svg, as: UTF8.self).contains(">Grand Piano<"))
}

@Test(arguments: [
  (["--image=x.gif"], "--image must be a file that ends in .png or .svg, but was 'x.gif'"),
  (["--image-style", "light"], "--image-style needs --image"),
  (
    ["--image", "--image-style", "blue"], "--image-style must be one of dark, light, but was 'blue'"
  ),
  (["--image", "x.svg", "b.mid"], "--image x.svg names one file for all songs"),
])
func `an image that cannot be asked for is exit code 2`(
  arguments: [String], sentence: String
) throws {
  let folder = try TemporaryFolder()
  let result = try run(arguments + [folder.put(shortSong())])
  #expect(result.exitCode == 2)
  #expect(result.errors.contains(sentence), "\(result.errors)")
}

private func run(_ arguments: [String]) throws -> ProgramResult {
  try Program(["render", "-s", bundledSoundFont] + arguments).result()
}
