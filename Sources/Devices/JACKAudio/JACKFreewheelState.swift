import LocalSystem

/// Whether a JACK server requests cycles without a deadline.
///
/// Threads: any.
final class JACKFreewheelState: Sendable {
  private let words = SharedWords(count: 1)

  deinit { words.destroy() }

  /// Not 0 while it does. Valid as long as this object exists.
  var word: SharedWord { words[0] }
}
