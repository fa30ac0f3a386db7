import CXXHash

/// A fingerprint of rendered audio: equal for the same samples, whatever file they went to.
///
/// It is XXH3 with 128 bits over the 32-bit float samples, little-endian, left and right side by
/// side: what `portative render --raw --bits 32f -o - SONG.mid | xxhsum -H2` gives. It is made before
/// dither and encoding, and does not depend on block lengths. Two
/// songs that differ in one bit have different hashes; it is no protection against forgery.
///
/// Realtime: no. Threads: one at a time.
///
/// Source: xxHash, "XXH3 128 bits", stable since 0.8.0.
public struct AudioHash: ~Copyable {
  private let state: OpaquePointer

  public init() {
    guard let state = XXH3_createState() else { fatalError("no memory for 576 bytes") }
    self.state = state
    XXH3_128bits_reset(state)
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Left and right side by side.
  public mutating func add(interleaved samples: Span<Float>) {
    #if _endian(big)
      #error("hash the samples as little-endian")
    #endif
    samples.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
  }

  /// The hash of what was added so far: 32 hexadecimal digits, in xxHash's canonical order.
  public var text: String {
    let hash = XXH3_128bits_digest(state)
    let digits = String(hash.low64, radix: 16)
    let upper = String(hash.high64, radix: 16)
    return Self.padded(upper) + Self.padded(digits)
  }

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: 16 - digits.count) + digits
  }

  deinit { XXH3_freeState(state) }
}
