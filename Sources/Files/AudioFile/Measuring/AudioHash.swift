/// A fingerprint of rendered audio: equal for the same samples, whatever file they went to.
///
/// It is XXH3 with 128 bits over the 32-bit float samples, little-endian, left and right side by
/// side: what `portative render --raw --bits 32f -o - SONG.mid | xxhsum -H2` gives. It is made before
/// dither and encoding, and does not depend on block lengths. Two
/// songs that differ in one bit have different hashes; it is no protection against forgery.
///
/// Realtime: no. Threads: one at a time.
public struct AudioHash: ~Copyable {
  private var hash = ContentHash()

  public init() {}

  /// Appends frames.
  ///
  /// - Parameter samples: Left and right side by side.
  public mutating func add(interleaved samples: Span<Float>) {
    #if _endian(big)
      #error("hash the samples as little-endian")
    #endif
    samples.withUnsafeBytes { hash.add($0) }
  }

  /// The hash of what was added so far: 32 hexadecimal digits, in xxHash's canonical order.
  public var text: String { hash.text }
}
