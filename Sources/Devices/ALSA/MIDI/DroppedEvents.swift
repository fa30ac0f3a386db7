/// Counts of the events received for a port that could not be played.
package struct DroppedEvents: Equatable, Sendable, CustomStringConvertible {
  /// Events with values outside MIDI's ranges, which any program may send.
  package var outOfRange = 0
  /// Incomplete or overlong System Exclusive messages.
  package var brokenSysEx = 0
  /// Messages dropped because the input's FIFO was full.
  package var refused = 0

  package var count: Int { outOfRange + brokenSysEx + refused }

  package static func += (sum: inout Self, more: Self) {
    sum.outOfRange += more.outOfRange
    sum.brokenSysEx += more.brokenSysEx
    sum.refused += more.refused
  }

  package var description: String {
    [
      (outOfRange, "with values outside MIDI's range"),
      (
        brokenSysEx,
        "of System Exclusive, incomplete or longer than \(SysExJoiner.longest) bytes"
      ),
      (refused, "that arrived faster than they were played"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
