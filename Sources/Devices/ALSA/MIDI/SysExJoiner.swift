import RenderCore

/// Assembles the System Exclusive messages of one source from their parts.
///
/// Incomplete messages are dropped.
struct SysExJoiner {
  enum Result: Equatable {
    /// A complete message, without F0 and F7.
    case whole([UInt8])
    /// A system realtime message (clock, start, stop…), which may occur inside another message.
    case system(SystemMessage)
    /// An incomplete, overlong or malformed message; reported once per message.
    case broken
  }

  /// The longest message that fits into a connection with a host, in bytes without F0 and F7.
  static let longest = 65_520

  private var partial: [UInt8]?
  /// Whether the following bytes belong to a message that is already known to be broken.
  private var isSkipping = false

  mutating func append(_ bytes: [UInt8]) -> [Result] {
    var results: [Result] = []
    for byte in bytes {
      switch byte {
      case 0xF0:
        if interrupt() { results.append(.broken) }
        partial = []
        isSkipping = false
      case 0xF7:
        if let message = partial { results.append(.whole(message)) }
        partial = nil
        isSkipping = false
      case 0xF8...:
        if let message = SystemMessage(status: byte) { results.append(.system(message)) }
      case ..<0x80 where partial.map { $0.count < Self.longest } ?? false:
        partial?.append(byte)
      default:
        if !isSkipping { results.append(.broken) }
        partial = nil
        isSkipping = true
      }
    }
    return results
  }

  /// Ends an unfinished message because another message arrived from the same source.
  ///
  /// - Returns: Whether a message was unfinished.
  mutating func interrupt() -> Bool {
    guard partial != nil else { return false }
    partial = nil
    isSkipping = true
    return true
  }
}
