package import RenderCore

/// The message of a keyboard that controls something instead of being played: a knob, a key or a button.
package struct ControlTrigger: Hashable, Sendable {
  package enum Message: Hashable, Sendable {
    /// A controller, 0…119. The others are channel mode messages.
    case controller(UInt8)
    /// A controller with 14 bits. The number, 0…31, is that of the upper seven bits. The lower ones have this number
    /// plus 32.
    case fineController(UInt8)
    /// A controller of an endless encoder, 0…119, whose values are steps.
    case encoder(UInt8, EncoderMode)
    case pitchBend
    /// Channel pressure.
    case pressure
    /// A key.
    case note(UInt8)
    /// A program change; `nil` for all programs.
    case program(UInt8?)
  }

  package var message: Message
  /// 0…15; `nil` for all channels.
  package var channel: UInt8?
  /// The keyboard's name, or a pattern with `*`, `?` and `[…]` as in file names; `nil` for all keyboards.
  package var keyboard: String?

  package init(_ message: Message, channel: UInt8? = nil, keyboard: String? = nil) {
    self.message = message
    self.channel = channel
    self.keyboard = keyboard
  }

  /// Whether the keyboard has a name that the trigger includes; not case-sensitive.
  ///
  /// - Parameter name: `nil` if the name is not known.
  package func includes(keyboard name: String?) -> Bool {
    guard let keyboard else { return true }
    guard let name else { return false }
    // A learned name may contain characters of patterns.
    return keyboard == name || name.matches(namePattern: keyboard)
  }

  /// Whether the trigger includes the message of some keyboard.
  package func includes(_ other: ChannelMessage) -> Bool {
    if let channel, channel != other.channel { return false }
    let number = other.data1
    return switch (message, other.kind) {
    case (.controller(let controller), .controlChange): controller == number
    case (.encoder(let controller, _), .controlChange): controller == number
    case (.fineController(let controller), .controlChange):
      controller == number || controller + 32 == number
    case (.pitchBend, .pitchBend), (.pressure, .channelPressure): true
    case (.note(let key), .noteOn), (.note(let key), .noteOff), (.note(let key), .keyPressure):
      key == number
    case (.program(let program), .programChange): program == nil || program == number
    default: false
    }
  }
}
