import FoundationEssentials
package import LocalSystem

/// A file system root in a temporary folder, deleted on deinitialization.
package final class TemporarySystem {
  package let root: String
  package var environment: ProcessEnvironment

  package init() {
    root = FileManager.default.temporaryDirectory
      .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max))").path()
    environment = ProcessEnvironment(
      variables: ["HOME": "\(root)/home"], executable: "\(root)/opt/bin/portative", root: root)
  }

  /// Writes a file and creates its parent folders.
  ///
  /// - Returns: Its path.
  @discardableResult
  package func add(_ path: String, _ content: [UInt8]) throws -> String {
    let file = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: file)
    return "\(root)/\(path)"
  }

  @discardableResult
  package func add(_ path: String, _ content: String) throws -> String {
    try add(path, Array(content.utf8))
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}
