import AudioFile
import Glibc

/// Room on a disk that no other file can take, for a file that must be written although others fill the disk. The room
/// is free again with the last reference.
final class DiskReserve {
  private let descriptor: CInt
  private static let least = 4096

  /// Reserves room, or as much of it as there is.
  ///
  /// - Parameter path: A file in the folder of the file system.
  /// - Returns: `nil` if there is no room, or if the file system has no files without a name.
  init?(beside path: String, bytes: Int) {
    descriptor = TemporaryFile.openUnnamed(in: OutputFile.folder(of: path))
    if descriptor < 0 { return nil }
    var bytes = bytes
    while bytes >= Self.least {
      if posix_fallocate(descriptor, 0, off_t(bytes)) == 0 { return }
      ftruncate(descriptor, 0)
      bytes /= 2
    }
    return nil
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
