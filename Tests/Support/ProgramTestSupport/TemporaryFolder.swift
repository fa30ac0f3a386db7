import Foundation

/// A folder that goes with the test.
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

  /// Bytes of the first file whose name begins so.
  package func size(of prefix: String) -> Int? {
    names.first { $0.hasPrefix(prefix) }.flatMap { name in
      var status = stat()
      return stat(self(name), &status) == 0 ? Int(status.st_size) : nil
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
