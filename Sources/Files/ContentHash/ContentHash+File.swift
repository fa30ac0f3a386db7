import Glibc
import LocalSystem

extension ContentHash {
  /// Returns the hash of a file's bytes; `nil` if the file cannot be read. May block.
  public static func ofFile(_ path: String) -> String? {
    let descriptor = open(path.platformString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { block.deallocate() }
    var hash = ContentHash()
    while true {
      let count = read(descriptor, block.baseAddress, block.count)
      if count == 0 { return hash.text }
      if count > 0 {
        hash.add(UnsafeRawBufferPointer(rebasing: block[..<count]))
      } else if errno != EINTR {
        return nil
      }
    }
  }
}
