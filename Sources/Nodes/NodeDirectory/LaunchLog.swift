import Glibc
import LocalSystem

/// The log of a launched node: its standard output and error, in `NODE.log` in the state folder.
///
/// The log of the previous launch is kept as `NODE.log.1`, because it may show why that launch ended.
final class LaunchLog {
  let path: String
  let descriptor: CInt

  /// Starts a new log.
  ///
  /// - Throws: ``LaunchError/noLog(path:code:)``, ``LaunchError/directory(_:)``
  init(node: String, in directories: NodeDirectories) throws(LaunchError) {
    path = "\(try mapError(directories.prepareState(), LaunchError.directory))/\(node).log"
    rename(path, "\(path).1")
    // O_APPEND keeps the program and its children from overwriting each other's output.
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .noLog(path: path, code: errno) }
  }

  deinit { close(descriptor) }

  /// The last 5 lines at most, of up to 200 characters each, for an error message.
  var excerpt: LaunchError.LogExcerpt {
    var bytes = [UInt8](repeating: 0, count: 2048)
    let start = max(0, lseek(descriptor, 0, SEEK_END) - bytes.count)
    let count = max(0, pread(descriptor, &bytes, bytes.count, start))
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    return LaunchError.LogExcerpt(
      path: path, lines: lines.suffix(5).map { String(String($0).printable.prefix(200)) })
  }
}
