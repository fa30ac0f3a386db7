import RenderCore

/// Notices that a cable is gone of which nothing else tells, as between a keyboard and a MIDI interface.
///
/// A sender that has once sent Active Sensing sends something at least every 300 ms. If nothing comes for longer, it is
/// gone, and its notes are to be ended. After that it is like one that never sent Active Sensing, until it does.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Active Sensing".
struct ActiveSensing {
  /// When the last message came, if the sender sends Active Sensing.
  private var latest: Int64?
  private var isSilent = false
  private var hasReturned = false

  /// Nanoseconds: 300 ms, and a tenth more for clocks that differ.
  static let limit: Int64 = 330_000_000

  /// Something has come.
  mutating func hear(_ content: SequencerEvent.Content, at time: Int64) {
    if latest != nil || content == .system(.activeSensing) { latest = time }
    if isSilent {
      isSilent = false
      hasReturned = true
    }
  }

  /// - Parameter now: All that came before has been heard.
  /// - Returns: Whether the sender has just been found to be gone.
  mutating func isOver(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    latest = nil
    isSilent = true
    return true
  }

  /// When ``isOver(at:)`` has to be asked again; `nil`: not before something is heard.
  var deadline: Int64? { latest.map { $0 + Self.limit } }

  /// - Returns: Whether something has come since the sender was found to be gone; told once.
  mutating func takeReturn() -> Bool {
    defer { hasReturned = false }
    return hasReturned
  }
}
