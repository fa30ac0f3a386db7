import Threads

/// Which sources of a ``LiveInput`` have an origin in common, so that a stroke may come from both: a keyboard, and a
/// program that passes on what it plays. The host, source 0, may pass on what any source plays.
///
/// Realtime: yes. Threads: one writes, another reads. A source's two words are not written at once; who reads
/// between them is told of too few sources, or of too many, until the next event.
struct SourceRelations: BitwiseCopyable {
  private let words: UnsafeMutablePointer<UInt32>

  /// Two for each source.
  static var wordCount: Int { 128 }

  /// - Parameter words: ``wordCount`` of them, 0 at first.
  init(words: UnsafeMutablePointer<UInt32>) { self.words = words }

  /// A bit for each source that has an origin in common with `source`.
  subscript(source: UInt8) -> UInt64 {
    @_noLocks get {
      if source == 0 { return .max }
      let word = words + 2 * Int(source & 63)
      return UInt64(SharedWord(at: word + 1).value) << 32 | UInt64(SharedWord(at: word).value) | 1
    }
  }

  func set(_ source: UInt8, to related: UInt64) {
    let word = words + 2 * Int(source & 63)
    SharedWord(at: word).store(UInt32(truncatingIfNeeded: related))
    SharedWord(at: word + 1).store(UInt32(truncatingIfNeeded: related >> 32))
  }
}
