import Threads

/// The sources of a ``LiveInput`` that have an origin in common, so that the same note-on may come from both: for
/// example a keyboard and a program that forwards its events. The host, source 0, may forward the events of any source.
///
/// Realtime: yes. Threads: one writes, another reads. The two words of a source are not written atomically. A reader in
/// between may see too few or too many sources until the next event.
struct SourceRelations: BitwiseCopyable {
  private let atomics: UnsafeMutablePointer<UInt32>

  /// The number of words: two for each source.
  static var wordCount: Int { 128 }

  /// - Parameter atomics: ``wordCount`` words, initially 0.
  init(atomics: UnsafeMutablePointer<UInt32>) { self.atomics = atomics }

  /// One bit for each source with an origin in common with `source`.
  subscript(source: UInt8) -> UInt64 {
    @_noLocks get {
      if source == 0 { return .max }
      let word = atomics + 2 * Int(source & 63)
      return UInt64(SharedWord(at: word + 1).value) << 32 | UInt64(SharedWord(at: word).value) | 1
    }
  }

  func set(_ source: UInt8, to related: UInt64) {
    let word = atomics + 2 * Int(source & 63)
    SharedWord(at: word).store(UInt32(truncatingIfNeeded: related))
    SharedWord(at: word + 1).store(UInt32(truncatingIfNeeded: related >> 32))
  }
}
