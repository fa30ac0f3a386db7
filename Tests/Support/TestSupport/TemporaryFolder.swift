package import FoundationEssentials
import Glibc

/// A temporary folder, deleted on deinitialization.
package final class TemporaryFolder {
  package let path = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max))").path()

  package init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Returns the size in bytes of the first file whose name has this prefix.
  package func size(of prefix: String) -> Int? {
    names.first { $0.hasPrefix(prefix) }.flatMap { name in
      var status = stat()
      return stat(self(name), &status) == 0 ? Int(status.st_size) : nil
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file to the folder and returns its path.
  package func put(_ data: Data, _ name: String = "song.mid") throws -> String {
    try data.write(to: URL(filePath: self(name)))
    return self(name)
  }

  /// Puts a file into a folder within this one.
  @discardableResult
  package func createFile(_ path: String, _ data: Data = Data("MThd".utf8)) throws -> String {
    let folder = URL(filePath: self(path)).deletingLastPathComponent().path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try put(data, path)
  }
}
