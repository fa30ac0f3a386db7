/// A SoundFont file without its sample data, for FluidSynth to load. The image has gaps in place of the
/// samples; all other bytes are in memory.
struct SoundFontImage: Sendable {
  struct Part: Sendable {
    enum Content: Sendable {
      case bytes([UInt8])
      /// 16-bit samples, or the upper 16 bits of 24-bit ones.
      case samples
      /// The lowest eight bits of 24-bit samples.
      case lowBytes
    }
    var range: Range<Int>
    var content: Content
  }

  private(set) var parts: [Part] = []
  var size: Int { parts.last?.range.upperBound ?? 0 }

  mutating func append(_ content: Part.Content, size: Int) {
    parts.append(Part(range: self.size..<self.size + size, content: content))
  }

  mutating func append(_ bytes: [UInt8]) { append(.bytes(bytes), size: bytes.count) }

  /// Returns the part that contains the byte at `position`.
  func part(at position: Int) -> Part? { parts.first { $0.range.contains(position) } }
}
