import Glibc
import LocalSystem

/// Files without a name, which are deleted when they are closed or the program ends for any reason.
package enum TemporaryFile {
  /// Creates a file for reading and writing.
  ///
  /// - Parameter folder: The folder to use. If it is empty or not writable, `$TMPDIR` or `/tmp` is used.
  /// - Returns: A descriptor, the caller's to close.
  package static func open(in folder: String) throws(AudioFileError) -> CInt {
    let other = getenv("TMPDIR").map { String(platformString: $0) } ?? "/tmp"
    for location in [folder, other] where !location.isEmpty {
      let descriptor = create(in: location)
      if descriptor >= 0 { return descriptor }
    }
    throw .cannotCreate(path: "\(other)/portative", code: errno)
  }

  /// `O_TMPFILE`, a macro that Swift does not import.
  static let unnamed: CInt = 0o20000000 | O_DIRECTORY

  /// Creates a file without a name, if the file system has such files.
  ///
  /// - Returns: A descriptor, the caller's to close; below 0 on failure.
  package static func openUnnamed(in folder: String) -> CInt {
    Glibc.open(folder.platformString, O_RDWR | unnamed | O_CLOEXEC, 0o600)
  }

  private static func create(in folder: String) -> CInt {
    let descriptor = openUnnamed(in: folder)
    if descriptor >= 0 { return descriptor }
    let chance = String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = "\(folder)/.portative.\(getpid())-\(chance).partial"
    let named = Glibc.open(path.platformString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if named >= 0 { unlink(path.platformString) }
    return named
  }
}
