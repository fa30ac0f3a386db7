import Configuration
import FoundationEssentials

/// A system of its own, in a folder that goes with the test.
final class TemporarySystem {
  let root: String
  var surroundings: Surroundings

  init() {
    root = FileManager.default.temporaryDirectory
      .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max))").path()
    surroundings = Surroundings(
      variables: ["HOME": "\(root)/home"], executable: "\(root)/opt/bin/portative", root: root)
  }

  @discardableResult
  func add(_ path: String, _ content: [UInt8]) throws -> String {
    let file = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: file)
    return "\(root)/\(path)"
  }

  @discardableResult
  func add(_ path: String, _ content: String) throws -> String {
    try add(path, Array(content.utf8))
  }

  /// A SoundFont as far as its header tells.
  @discardableResult
  func addSoundFont(_ path: String) throws -> String {
    try add(path, Array("RIFF".utf8) + [4, 0, 0, 0] + Array("sfbk".utf8))
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}
