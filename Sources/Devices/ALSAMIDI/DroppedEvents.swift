/// What came for a port and could not be played.
package struct DroppedEvents: Equatable, Sendable, CustomStringConvertible {
  /// Events with values that MIDI does not have, as any program may send them.
  package var outOfRange = 0
  /// System Exclusive messages that did not come whole, or were too long.
  package var brokenSysEx = 0
  /// Messages that nobody has taken for so long that there was no more room.
  package var refused = 0

  package init(outOfRange: Int = 0, brokenSysEx: Int = 0, refused: Int = 0) {
    self.outOfRange = outOfRange
    self.brokenSysEx = brokenSysEx
    self.refused = refused
  }

  package var count: Int { outOfRange + brokenSysEx + refused }

  package static func += (sum: inout Self, more: Self) {
    sum.outOfRange += more.outOfRange
    sum.brokenSysEx += more.brokenSysEx
    sum.refused += more.refused
  }

  package var description: String {
    [
      (outOfRange, "with values that MIDI does not have"),
      (
        brokenSysEx,
        "of System Exclusive, broken or longer than \(SysExJoiner.longest) bytes"
      ),
      (refused, "that came faster than they were played"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
