import RenderCore

/// Detects a lost connection that the sequencer does not announce, such as an unplugged cable between a keyboard and
/// a MIDI interface.
///
/// A sender that has sent Active Sensing once sends at least one message every 300 ms. If nothing arrives for longer
/// than ``limit``, the sender is gone and its notes have to be released. It is then treated like a sender without
/// Active Sensing, until it sends Active Sensing again.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Active Sensing".
struct ActiveSensing {
  /// The time of the last message, in nanoseconds; `nil` if the sender does not send Active Sensing.
  private var latest: Int64?
  private var isSilent = false
  private var hasReturned = false

  /// The timeout in nanoseconds: 300 ms, plus 10 % for differing clocks.
  static let limit: Int64 = 330_000_000

  /// Handles a message received at `time`, in nanoseconds.
  mutating func receive(_ content: SequencerEvent.Content, at time: Int64) {
    if latest != nil || content == .system(.activeSensing) { latest = time }
    if isSilent {
      isSilent = false
      hasReturned = true
    }
  }

  /// Checks for a timeout.
  ///
  /// - Parameter now: The time in nanoseconds. All messages that arrived earlier must have been passed to
  ///   ``receive(_:at:)``.
  /// - Returns: `true` once, when the sender times out.
  mutating func checkTimeout(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    latest = nil
    isSilent = true
    return true
  }

  /// When ``checkTimeout(at:)`` has to be called next, in nanoseconds; `nil` if not before the next message.
  var deadline: Int64? { latest.map { $0 + Self.limit } }

  /// Returns whether a message has arrived since the timeout, and clears that state.
  mutating func consumeReturn() -> Bool {
    defer { hasReturned = false }
    return hasReturned
  }
}
