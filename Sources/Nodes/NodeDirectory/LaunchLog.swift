import Glibc

/// What a launched node writes to its standard output and error: `NODE.log` in the state folder.
///
/// The log of the launch before is kept as `NODE.log.1`, for it may tell why that one ended.
final class LaunchLog {
  let path: String
  let descriptor: CInt

  /// Begins a new one.
  ///
  /// - Throws: ``LaunchError/noLog(path:code:)``, ``LaunchError/directory(_:)``
  init(node: String, in directories: NodeDirectories) throws(LaunchError) {
    do {
      path = "\(try directories.prepareState())/\(node).log"
    } catch {
      throw .directory(error)
    }
    rename(path, "\(path).1")
    // Appending, lest the program and those it starts write over each other's words.
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .noLog(path: path, code: errno) }
  }

  deinit { close(descriptor) }

  /// The end of it, few enough words for an error.
  var excerpt: LaunchError.LogExcerpt {
    var bytes = [UInt8](repeating: 0, count: 2048)
    let start = max(0, lseek(descriptor, 0, SEEK_END) - bytes.count)
    let count = max(0, pread(descriptor, &bytes, bytes.count, start))
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    let harmless = lines.suffix(5).map { line in
      String(String.UnicodeScalarView(line.unicodeScalars.filter(Self.isHarmless)).prefix(200))
    }
    return LaunchError.LogExcerpt(path: path, lines: harmless)
  }

  /// Others might do things to the terminal that the error is shown on.
  private static func isHarmless(_ character: Unicode.Scalar) -> Bool {
    character.properties.generalCategory != .control
  }
}
