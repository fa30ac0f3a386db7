import ContentHash

/// A hash of rendered audio: equal for the same samples, independent of the file format.
///
/// It is the 128-bit XXH3 of the 32-bit float samples, little-endian and interleaved: the output of
/// `portative render --raw --bits 32f -o - SONG.mid | xxhsum -H2`. It is calculated before dither and encoding, and
/// does not depend on block lengths. Two songs that differ in one bit have different hashes; it does not protect
/// against forgery.
///
/// Realtime: no. Threads: one at a time.
public struct AudioHash: ~Copyable {
  private var hash = ContentHash()

  public init() {}

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples.
  public mutating func add(interleaved samples: Span<Float>) {
    #if _endian(big)
      #error("hash the samples as little-endian")
    #endif
    samples.withUnsafeBytes { hash.add($0) }
  }

  /// The hash of the frames added so far: 32 hexadecimal digits, in xxHash's canonical order.
  public var text: String { hash.text }
}
