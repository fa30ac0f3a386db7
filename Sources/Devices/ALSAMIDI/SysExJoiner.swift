import RenderCore

/// Joins System Exclusive messages of the parts in which one source sends them.
///
/// A message that does not come whole is left out whole.
struct SysExJoiner {
  enum Result: Equatable {
    /// A message, without F0 and F7.
    case whole([UInt8])
    /// What may come at any time, inside another message too: clock, start, stop, and the like.
    case system(SystemMessage)
    /// One that was not whole, or too long, or no message at all; told once for each.
    case broken
  }

  /// The longest message that there is room for on the way to a port, and to a host: without F0 and F7.
  static let longest = 65_520

  private var begun: [UInt8]?
  /// Whether what comes belongs to a message that is known to be broken.
  private var isSkipping = false

  mutating func take(_ bytes: [UInt8]) -> [Result] {
    var results: [Result] = []
    for byte in bytes {
      switch byte {
      case 0xF0:
        if interrupt() { results.append(.broken) }
        begun = []
        isSkipping = false
      case 0xF7:
        if let message = begun { results.append(.whole(message)) }
        begun = nil
        isSkipping = false
      case 0xF8...:
        if let message = SystemMessage(status: byte) { results.append(.system(message)) }
      case ..<0x80 where begun.map { $0.count < Self.longest } ?? false:
        begun?.append(byte)
      default:
        if !isSkipping { results.append(.broken) }
        begun = nil
        isSkipping = true
      }
    }
    return results
  }

  /// Another message comes from the same source, which ends one that has begun.
  ///
  /// - Returns: Whether one had.
  mutating func interrupt() -> Bool {
    guard begun != nil else { return false }
    begun = nil
    isSkipping = true
    return true
  }
}
