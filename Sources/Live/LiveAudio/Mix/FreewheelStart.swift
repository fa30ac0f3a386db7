/// Detects where a song begins in cycles without a deadline: in the first of them, and where the transport starts.
///
/// Realtime: yes.
struct FreewheelStart: BitwiseCopyable {
  private var wasFreewheeling = false
  private var wasPlaying = false

  /// Returns whether a song begins with a cycle.
  ///
  /// - Parameters:
  ///   - isFreewheeling: Whether the cycle has no deadline.
  ///   - isPlaying: Whether the transport plays in it.
  @_noLocks mutating func follow(isFreewheeling: Bool, isPlaying: Bool) -> Bool {
    let isNew = !wasFreewheeling
    let starts = isPlaying && !wasPlaying
    wasFreewheeling = isFreewheeling
    wasPlaying = isPlaying
    return isFreewheeling && (isNew || starts)
  }
}
