import Glibc
import LocalSystem

/// Files without a name, which are gone when they are closed, or the program ends in whatever way.
package enum TemporaryFile {
  /// Opens one for reading and writing.
  ///
  /// - Parameter folder: Where it is made; where that cannot be, or it is empty, in `$TMPDIR`, or
  ///   `/tmp`.
  /// - Returns: A descriptor, the caller's to close.
  package static func open(in folder: String) throws(AudioFileError) -> CInt {
    let other = getenv("TMPDIR").map { String(platformString: $0) } ?? "/tmp"
    for place in [folder, other] where !place.isEmpty {
      let descriptor = make(in: place)
      if descriptor >= 0 { return descriptor }
    }
    throw .cannotCreate(path: "\(other)/portative", code: errno)
  }

  /// `O_TMPFILE`, a macro that Swift does not see.
  static let unnamed: CInt = 0o20000000 | O_DIRECTORY

  private static func make(in folder: String) -> CInt {
    let descriptor = Glibc.open(folder.platformString, O_RDWR | unnamed | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    let chance = String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = "\(folder)/.portative.\(getpid())-\(chance).partial"
    let named = Glibc.open(path.platformString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if named >= 0 { unlink(path.platformString) }
    return named
  }
}
