/// The status of a cycle. The output is silence unless the status is `rendered`.
public enum RenderStatus: UInt8, Sendable {
  /// The node has rendered the cycle.
  case rendered
  /// The node did not answer before the deadline. Scheduled events are kept for the next cycle.
  case late
  /// The connection must be initialized again, because the node was late too often or the host did not render for too
  /// long. ``Connection/status`` has the reason.
  case parked
  /// The connection is not initialized.
  case notInitialized
  /// The connection has ended permanently. ``Connection/status`` has the reason.
  case connectionLost
  /// `frames` was not between 1 and the format's maximum. The cycle was not requested.
  case badFrameCount
}

/// The result of scheduling an event.
public enum ScheduleStatus: UInt8, Sendable {
  /// The event will act on its frame, or immediately if that frame has passed.
  case accepted
  /// There is no space for the event. Schedule it again after the next cycle.
  case full
  /// The message is longer than the FIFO: the limit is ``Connection/longestSysEx``.
  case tooLong
  /// The bytes are not one complete message.
  case malformed
  /// The port has no parameter with this index.
  case unknownParameter
  /// The value is out of the parameter's range, which is in ``Connection/parameters``.
  case outOfRange
  /// The connection is not initialized, parked or lost.
  case notRunning
}
