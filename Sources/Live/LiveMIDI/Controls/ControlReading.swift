package import RenderCore

/// The meaning of a message of a trigger.
package enum ControlReading: Equatable, Sendable {
  /// The control is at a position: 0…1.
  case position(Double)
  /// An encoder was turned by so many steps; below 0 for steps down.
  case steps(Int)
  /// A key or button was pressed.
  case press
  /// A program was chosen.
  case program(UInt8)
}

/// Follows the messages of one control of one keyboard and channel.
package struct ControlReader: Sendable {
  private var coarse: UInt8?
  private var fine: UInt8?
  private var isPressed = false
  private var isAtEnd = false

  package init() {}

  /// Follows a message that the trigger includes.
  ///
  /// The halves of a 14-bit controller may come in any order. After the first of a pair, the position is off by less
  /// than a step of seven bits. A controller of which only the upper half comes has seven bits.
  ///
  /// - Returns: `nil` if the message means nothing of its own, as a note-off.
  package mutating func follow(
    _ message: ChannelMessage, of trigger: ControlTrigger.Message
  ) -> ControlReading? {
    switch trigger {
    case .controller, .pressure:
      let value = trigger == .pressure ? message.data1 : message.data2
      return .position(Double(value) / 127)
    case .fineController(let number):
      if message.data1 == number { coarse = message.data2 } else { fine = message.data2 }
      guard let coarse else { return nil }
      guard let fine else { return .position(Double(coarse) / 127) }
      return .position(Double(Int(coarse) << 7 | Int(fine)) / 16383)
    case .pitchBend:
      // The centre is exactly one half.
      let bend = Double(message.bend) - 8192
      return .position(0.5 + bend / (bend < 0 ? 16384 : 16382))
    case .encoder(_, let mode):
      let steps = mode.steps(message.data2)
      return steps == 0 ? nil : .steps(steps)
    case .note: return message.startsNote ? .press : nil
    case .program(nil): return .program(message.data1)
    case .program: return .press
    }
  }

  /// Returns whether a position presses a button: in the upper half after the lower one. A button that only sends the
  /// highest value is pressed each time.
  package mutating func isPress(_ position: Double) -> Bool {
    let (wasPressed, wasAtEnd) = (isPressed, isAtEnd)
    isPressed = position > 0.5
    isAtEnd = position == 1
    return isPressed && (!wasPressed || wasAtEnd && isAtEnd)
  }
}
