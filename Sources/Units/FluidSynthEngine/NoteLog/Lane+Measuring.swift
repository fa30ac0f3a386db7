extension Lane {
  /// Begins to measure a note.
  ///
  /// - Parameter note: Its number; −1 to measure nothing.
  @_noLocks mutating func measure(note: Int32) {
    self.note = note
    firstAudible = -1
    lastAudible = -1
  }

  /// Measures frames of the lane's note, from its next block on.
  ///
  /// - Parameters:
  ///   - left: May be `nil`, for silence.
  ///   - right: The same for the right channel.
  ///   - frames: Whole blocks.
  @_noLocks mutating func measure(
    _ left: UnsafePointer<Float>?, _ right: UnsafePointer<Float>?, frames: Int
  ) {
    guard note >= 0 else { return }
    var last = -1
    if let left { last = Self.lastAudible(left, from: 0, frames) }
    if let right { last = max(last, Self.lastAudible(right, from: last + 1, frames)) }
    if last < 0 { return }
    lastAudible = next + Int64(last)
    guard firstAudible < 0 else { return }
    var first = last
    if let left { first = Self.firstAudible(left, before: first) }
    if let right { first = Self.firstAudible(right, before: first) }
    firstAudible = next + Int64(first)
  }

  /// - Returns: −1 if no sample from `begin` on is audible.
  @_noLocks private static func lastAudible(
    _ samples: UnsafePointer<Float>, from begin: Int, _ end: Int
  ) -> Int {
    var i = end - 1
    while i >= begin {
      if abs(samples[i]) >= LoggedNote.threshold { return i }
      i -= 1
    }
    return -1
  }

  /// - Returns: `end` if no earlier sample is audible.
  @_noLocks private static func firstAudible(
    _ samples: UnsafePointer<Float>, before end: Int
  ) -> Int {
    for i in 0..<end where abs(samples[i]) >= LoggedNote.threshold { return i }
    return end
  }
}
