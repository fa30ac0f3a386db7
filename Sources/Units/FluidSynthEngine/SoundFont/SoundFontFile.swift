import Glibc
import LocalSystem

/// A SoundFont file that FluidSynth loads as a whole.
final class SoundFontFile: SoundFontSource {
  private let file: UnsafeMutablePointer<FILE>
  let size: Int
  /// The position in the file. As in ``SoundFontStream``, access is not checked.
  @exclusivity(unchecked) private var position = 0

  /// - Returns: `nil` if the file cannot be opened.
  init?(_ path: String) {
    guard let file = fopen(path.platformString, "rbe") else { return nil }
    self.file = file
    var status = stat()
    size = fstat(fileno(file), &status) == 0 ? status.st_size : 0
  }

  deinit { fclose(file) }

  func isReachable(_ position: Int) -> Bool { position >= 0 }

  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) -> Bool {
    if position != self.position, fseeko(file, position, SEEK_SET) != 0 { return false }
    // FILE's buffer makes small reads cheap; no other thread uses it.
    let count = fread_unlocked(bytes.baseAddress, 1, bytes.count, file)
    self.position = position + count
    return count == bytes.count
  }
}
