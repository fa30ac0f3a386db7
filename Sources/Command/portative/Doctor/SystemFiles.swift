import Glibc
import LocalSystem

/// Reads the kernel's files and devices.
struct SystemFiles {
  let environment: ProcessEnvironment

  /// Returns the sorted names in a folder; empty if the folder cannot be read.
  func names(in folder: String) -> [String] {
    (try? Folder.names(in: environment.root + folder)) ?? []
  }

  /// Returns the first line of a file; `nil` if it cannot be read.
  func line(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(environment.root + path, limit: 65536) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Opens a device and closes it again.
  ///
  /// - Returns: 0, or the `errno` if the device cannot be opened.
  func probe(_ path: String) -> CInt {
    let descriptor = open(environment.root + path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { return errno }
    close(descriptor)
    return 0
  }

  /// The names of the programs that run as this user.
  var programs: Set<String> {
    let processes = names(in: "/proc").filter {
      Int($0) != nil && owner(of: "/proc/\($0)") == geteuid()
    }
    return Set(processes.compactMap { line("/proc/\($0)/comm") })
  }

  /// - Returns: `nil` if the file is not there.
  private func owner(of path: String) -> uid_t? {
    var status = stat()
    return stat((environment.root + path).platformString, &status) == 0 ? status.st_uid : nil
  }
}
