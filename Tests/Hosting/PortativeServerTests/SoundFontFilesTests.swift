import Configuration
import ContentHash
import FluidSynthEngine
import Foundation
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import ServerTestSupport
import TestSupport
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(5))) final class SoundFontFilesTests {
  private let user = TestUser()
  private let log = TestLog()
  private var fonts: String { "\(user.system.root)/data/soundfonts" }

  init() throws {
    try FileManager.default.createDirectory(atPath: fonts, withIntermediateDirectories: true)
  }

  /// Writes a copy of the bundled SoundFont with other contents.
  private func writeFont(_ name: String, _ text: String) throws -> String {
    var bytes = try Data(contentsOf: URL(filePath: bundledSoundFont))
    // The name of the SoundFont, "INAM".
    let start = try #require(bytes.range(of: Data("INAM".utf8))).upperBound + 4
    bytes.replaceSubrange(start..<start + text.utf8.count, with: Data(text.utf8))
    let path = "\(fonts)/\(name)"
    try bytes.write(to: URL(filePath: path))
    return path
  }

  private func files() throws -> SoundFontFiles {
    SoundFontFiles(
      search: SoundFontSearch(user.system.environment), standard: try .open(bundledSoundFont))
  }

  @Test func `a SoundFont is found at its path`() throws {
    let path = try writeFont("A.sf2", "first")
    let reference = try files().reference(to: .open(path))
    #expect(reference.path == resolvedPath(path))
    #expect(reference.hash == ContentHash.ofFile(path))
    #expect(try files().open(reference) === SoundFont.open(path))
  }

  @Test func `a SoundFont of another machine is found by its name and contents`() throws {
    let path = try writeFont("A.sf2", "first")
    let hash = ContentHash.ofFile(path)
    let moved = FileReference(path: "/home/other/A.sf2", hash: hash)
    #expect(try files().open(moved) === SoundFont.open(path))
    // The SoundFont of the configuration may have another name.
    let same = FileReference(
      path: "/home/other/B.sf2", hash: ContentHash.ofFile(bundledSoundFont))
    #expect(try files().open(same) === SoundFont.open(bundledSoundFont))
  }

  @Test func `a SoundFont with the same name and other contents is not mistaken for it`() throws {
    let path = try writeFont("A.sf2", "first")
    let hash = ContentHash.ofFile(path)
    _ = try writeFont("A.sf2", "other")
    let moved = FileReference(path: "/home/other/A.sf2", hash: hash)
    let error = #expect(throws: UnitFileError.self) { try files().open(moved) }
    #expect(
      error?.description
        == "cannot read the SoundFont /home/other/A.sf2: No such file or directory; put the SoundFont back, or "
        + "copy it to ~/.local/share/soundfonts, or choose another")
  }

  @Test func `a SoundFont that was edited at its path is played`() throws {
    let path = try writeFont("A.sf2", "first")
    let reference = try files().reference(to: .open(path))
    _ = try writeFont("A.sf2", "edited")
    #expect(try files().open(reference) === SoundFont.open(path))
  }

  @Test func `a host chooses the SoundFont of a port, and a state restores it`() throws {
    try user.system.add("run/folder", "")
    let server = try PortativeServer(user.settings, in: user.system.environment, observer: log)
    defer { server.stop() }
    try server.publish(
      user.plan(#"{ ports: [{ name: "Test: Piano", subtype: "pian", parameters: { gain: -3 } }] }"#)
    )
    let path = try #require(resolvedPath(try writeFont("A.sf2", "first")))
    let host = AudioHost(name: "test", environment: user.system.environment)
    let registry = ComponentRegistry(user.system.environment)
    let component = try #require(registry.components(matching: ComponentQuery()).first)
    let connection = try host.connect(to: component)
    try connection.initialize(Format(), mode: .offline)
    #expect(try connection.files().map(\.file.path) == [resolvedPath(bundledSoundFont)])
    try connection.setFile("soundfont", to: FileReference(path: path))
    #expect(
      try connection.files() == [
        UnitFile(
          "soundfont", "SoundFont", FileReference(path: path, hash: ContentHash.ofFile(path)))
      ])
    // The parameters remain.
    #expect(try connection.parameterValues()[0] == -3)
    let state = try connection.saveState()
    connection.uninitialize()

    try connection.initialize(Format(), mode: .offline)
    #expect(try connection.files().map(\.file.path) == [resolvedPath(bundledSoundFont)])
    let fonts = URL(filePath: path).deletingLastPathComponent()
    let hidden = fonts.appending(path: "hidden")
    try FileManager.default.moveItem(atPath: path, toPath: hidden.path())
    let refusal = #expect(throws: ConnectionError.self) { try connection.restoreState(state) }
    guard case .refused(let error) = refusal else { throw try #require(refusal) }
    #expect(error.code == .unusableFile)
    #expect(try connection.files().map(\.file.path) == [resolvedPath(bundledSoundFont)])
    try FileManager.default.moveItem(atPath: hidden.path(), toPath: path)
    try connection.restoreState(state)
    #expect(try connection.files().map(\.file.path) == [path])
    #expect(
      #expect(throws: ConnectionError.self) {
        try connection.setFile("samples", to: FileReference(path: path))
      }?.description == "Test: Piano has no file 'samples': it has 'soundfont'")
  }
}
