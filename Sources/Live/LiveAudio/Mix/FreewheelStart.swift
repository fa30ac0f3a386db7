/// Detects where songs begin and end in cycles without a deadline.
///
/// Realtime: yes.
struct FreewheelStart: BitwiseCopyable {
  private var wasFreewheeling = false
  private var wasPlaying = false

  /// The action of a port before a cycle.
  enum Step: Sendable {
    /// The first cycle without a deadline: the port keeps its programs and controllers, and begins again.
    case begin
    /// The transport starts in such a cycle: the port begins again.
    case song
    /// The first cycle with a deadline: the port has the programs and controllers again that it had before.
    case end

    /// The number of the step in a word that is 0 where there is nothing to do.
    var word: UInt32 {
      @_noLocks get {
        switch self {
        case .begin: 1
        case .song: 2
        case .end: 3
        }
      }
    }

    /// - Parameter word: The number of a step; `nil` for others.
    init?(word: UInt32) {
      switch word {
      case 1: self = .begin
      case 2: self = .song
      case 3: self = .end
      default: return nil
      }
    }
  }

  /// Returns what ports do before a cycle; `nil`: nothing.
  ///
  /// - Parameters:
  ///   - isFreewheeling: Whether the cycle has no deadline.
  ///   - isPlaying: Whether the transport plays in it.
  @_noLocks mutating func follow(isFreewheeling: Bool, isPlaying: Bool) -> Step? {
    let isNew = !wasFreewheeling
    let starts = isPlaying && !wasPlaying
    wasFreewheeling = isFreewheeling
    wasPlaying = isPlaying
    if !isFreewheeling { return isNew ? nil : .end }
    return isNew ? .begin : starts ? .song : nil
  }
}
