import Glibc
import LocalSystem

/// What the kernel tells in files.
struct SystemFiles {
  let environment: ProcessEnvironment

  /// The names in a folder, in their order; none where there is no such folder.
  func names(in folder: String) -> [String] {
    (try? Folder.names(in: environment.root + folder)) ?? []
  }

  /// The first line of a file; `nil` if it is not there, or closed to us.
  func line(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(environment.root + path, limit: 65536) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Opens a device and closes it again.
  ///
  /// - Returns: The `errno` if that is not possible; 0 if it is.
  func probe(_ path: String) -> CInt {
    let descriptor = open(environment.root + path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { return errno }
    close(descriptor)
    return 0
  }

  /// The names of the programs that run, as far as we may see them.
  var programs: Set<String> {
    let processes = names(in: "/proc").filter { Int($0) != nil }
    return Set(processes.compactMap { line("/proc/\($0)/comm") })
  }
}
