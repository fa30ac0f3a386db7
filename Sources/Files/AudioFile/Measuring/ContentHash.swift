import CXXHash

/// A fingerprint of bytes: XXH3 with 128 bits, as `xxhsum -H2` gives it. It tells what was changed
/// from what was not; it is no protection against forgery.
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

  /// Appends a text, in UTF-8.
  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of what was added so far: 32 hexadecimal digits, in xxHash's canonical order.
  public var text: String {
    let hash = XXH3_128bits_digest(state)
    return Self.padded(String(hash.high64, radix: 16)) + Self.padded(String(hash.low64, radix: 16))
  }

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: 16 - digits.count) + digits
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
