/// What became of a cycle. Unless it is `rendered`, the output is silence.
public enum RenderStatus: UInt8, Sendable {
  /// The node's audio is there.
  case rendered
  /// The node did not answer before the deadline. What was scheduled is kept for the next cycle.
  case late
  /// The connection waits to be initialized again, because the node was late too often or because it was
  /// not rendered for too long; ``Connection/state`` has the reason.
  case parked
  /// Not initialized, or no longer.
  case notInitialized
  /// The node or the connection is gone, for ever; ``Connection/state`` has the reason.
  case connectionLost
  /// `frames` was not within 1 and the format's maximum; nothing was asked of the node.
  case badFrameCount
}

/// What became of an event that was to be scheduled.
public enum ScheduleStatus: UInt8, Sendable {
  /// It will act on its frame, or at once where that is past.
  case accepted
  /// There is no room. Schedule it again after the next cycle.
  case full
  /// It has more bytes than the FIFO can ever hold: ``Connection/longestSysEx``.
  case tooLong
  /// The bytes are no whole message.
  case malformed
  /// The port has no parameter of this index.
  case unknownParameter
  /// The parameter cannot have this value: ``Connection/parameters`` has its range.
  case outOfRange
  /// Not initialized, parked, or lost.
  case notRunning
}
