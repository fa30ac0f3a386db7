import CXXHash
import Glibc
import LocalSystem

/// A hash of bytes: 128-bit XXH3, as printed by `xxhsum -H2`. It detects changes; it does not protect against forgery.
///
/// Realtime: no. Threads: one at a time.
///
/// Source: xxHash, "XXH3 128 bits", stable since 0.8.0.
public struct ContentHash: ~Copyable {
  private let state: OpaquePointer

  public init() {
    guard let state = XXH3_createState() else { fatalError("no memory for 576 bytes") }
    self.state = state
    XXH3_128bits_reset(state)
  }

  /// Appends bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    _ = XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// Appends the UTF-8 bytes of a text.
  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of the bytes added so far: 32 hexadecimal digits, in xxHash's canonical order.
  public var text: String {
    let hash = XXH3_128bits_digest(state)
    return String(hash.high64, digits: 16, radix: 16) + String(hash.low64, digits: 16, radix: 16)
  }

  deinit { XXH3_freeState(state) }
}

extension ContentHash {
  public static func of(_ bytes: [UInt8]) -> String {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.add($0) }
    return hash.text
  }

  public static func of(_ text: String) -> String {
    var hash = ContentHash()
    hash.add(text)
    return hash.text
  }
}

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
