package import RenderCore

/// A controller of a keyboard that acts as another one in a zone.
package struct ControllerRoute: Equatable, Sendable {
  /// What a route begins or ends with. Pedals and other switches (64 to 69) are none, because what is held on a sound must
  /// end there.
  package enum Control: Equatable, Sendable {
    /// 0…119 without 64…69.
    case controller(UInt8)
    /// The pressure of a channel.
    case pressure
  }

  package let from: Control
  package let to: Control
  /// The value for each value, 0…127.
  private let values: [UInt8]

  /// - Parameters:
  ///   - curve: How values change, before the range.
  ///   - first: The value at 0, 0…127.
  ///   - last: The value at 127; lower than `first` to invert.
  package init(
    from: Control, to: Control, curve: VelocityCurve = .linear, first: UInt8 = 0, last: UInt8 = 127
  ) {
    self.from = from
    self.to = to
    let span = Double(last) - Double(first)
    values = (0...127).map { value in
      UInt8((Double(first) + span * Double(curve[UInt8(value)]) / 127).rounded())
    }
  }

  /// Returns the message that a zone receives for a message of the keyboard; `nil` if the route does not concern it.
  func routed(_ message: ChannelMessage) -> ChannelMessage? {
    guard let value = value(of: message) else { return nil }
    return switch to {
    case .controller(let number):
      ChannelMessage(.controlChange, channel: message.channel, number, values[Int(value)])
    case .pressure:
      ChannelMessage(.channelPressure, channel: message.channel, values[Int(value)], 0)
    }
  }

  private func value(of message: ChannelMessage) -> UInt8? {
    switch (from, message.kind) {
    case (.controller(let number), .controlChange) where message.data1 == number: message.data2
    case (.pressure, .channelPressure): message.data1
    default: nil
    }
  }

  /// Whether a message has the lower seven bits of the controller that is routed, of which the upper ones suffice.
  func isFinePart(_ message: ChannelMessage) -> Bool {
    guard case .controller(let number) = from, number < 32 else { return false }
    return message.kind == .controlChange && message.data1 == number + 32
  }
}
