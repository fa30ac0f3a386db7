package import LiveMIDI
package import LocalSystem

/// Passes what the units of one thread play to a recorder.
///
/// Realtime: no, except its taps. Threads: one writes, one reads.
package final class TakeFIFO: Sendable {
  package let events: EventFIFO
  private let words = SharedWords(count: 1)

  /// - Parameter capacity: The number of slots, a power of two.
  package init(capacity: Int) { events = EventFIFO(capacity: capacity) }

  /// No tap may be in use any more.
  deinit { words.destroy() }

  /// Counts the events that were lost because there was no room.
  package var lostCount: SharedWord { words[0] }
  package var lost: Int { Int(words[0].value) }
}
