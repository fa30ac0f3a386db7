/// The positions to which one source of notes has moved its wheels, pedals and keys: pitch bend, channel and key pressure,
/// modulation, breath, foot and expression. At rest they have the values of Reset All Controllers.
///
/// Switches are in ``HeldNotes``. Programs, volume, pan and all other controllers are settings of the instrument.
///
/// Realtime: yes, except ``messages``.
///
/// Source: *Response to Reset All Controllers*, RP-015, which leaves breath and foot to the instrument; FluidSynth resets
/// them.
package struct ControlPositions: BitwiseCopyable, Sendable {
  /// By channel and control. At rest they are undefined.
  private var values = InlineArray<160, UInt16>(repeating: 0)
  /// One bit for each channel on which a control is not at rest.
  private var moved = InlineArray<10, UInt16>(repeating: 0)
  /// By channel and key. At rest they are undefined.
  private var pressures = InlineArray<2048, UInt8>(repeating: 0)
  /// One bit for each channel and key with pressure.
  private var pressed = InlineArray<32, UInt64>(repeating: 0)

  /// The number of messages that bring all positions of a source to rest.
  package static var maximumMessages: Int { @_noLocks get { 16 * (controlCount + 128) } }

  /// Pitch bend, channel pressure, and eight controllers.
  private static var controlCount: Int { @_noLocks get { 10 } }
  private static var bend: Int { @_noLocks get { 0 } }
  private static var pressure: Int { @_noLocks get { 1 } }

  @_noLocks package init() {}

  /// Whether a message moves a wheel, a pedal or a key with pressure.
  @_noLocks package static func areMoved(by message: ChannelMessage) -> Bool {
    isOfKey(message) || control(of: message) != nil
  }

  @_noLocks private static func isOfKey(_ message: ChannelMessage) -> Bool {
    if case .keyPressure = message.kind { true } else { false }
  }

  /// The controllers in the order of the controls.
  @_noLocks private static func controller(of control: Int) -> UInt8 {
    switch control {
    case 2: 1
    case 3: 2
    case 4: 4
    case 5: 11
    case 6: 33
    case 7: 34
    case 8: 36
    default: 43
    }
  }

  @_noLocks private static func control(of message: ChannelMessage) -> Int? {
    switch message.kind {
    case .pitchBend: return bend
    case .channelPressure: return pressure
    case .controlChange:
      for control in 2..<controlCount where controller(of: control) == message.data1 {
        return control
      }
      return nil
    default: return nil
    }
  }

  @_noLocks private static func rest(of control: Int) -> UInt16 {
    switch control {
    case bend: 8192
    // Expression.
    case 5, 9: 127
    default: 0
    }
  }

  @_noLocks private static func value(of message: ChannelMessage) -> UInt16 {
    switch message.kind {
    case .pitchBend: message.bend
    case .channelPressure: UInt16(message.data1)
    default: UInt16(message.data2)
    }
  }

  @_noLocks private static func message(
    _ control: Int, _ value: UInt16, channel: UInt8
  ) -> ChannelMessage {
    let (low, high) = (UInt8(value & 127), UInt8(value >> 7 & 127))
    return switch control {
    case bend: ChannelMessage(.pitchBend, channel: channel, low, high)
    case pressure: ChannelMessage(.channelPressure, channel: channel, low)
    default: ChannelMessage(.controlChange, channel: channel, controller(of: control), low)
    }
  }

  /// Updates the positions from a message of the source.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    let (channel, value) = (message.channel, Self.value(of: message))
    if Self.isOfKey(message) {
      let key = Int(channel) * 128 + Int(message.data1)
      pressures[key] = message.data2
      let bit = UInt64(1) << UInt64(key & 63)
      pressed[key >> 6] = value > 0 ? pressed[key >> 6] | bit : pressed[key >> 6] & ~bit
    } else if let control = Self.control(of: message) {
      values[Int(channel) * Self.controlCount + control] = value
      let bit = UInt16(1) << UInt16(channel)
      moved[control] =
        value == Self.rest(of: control) ? moved[control] & ~bit : moved[control] | bit
    } else if case .controlChange = message.kind, message.data1 == 121 {
      reset(message.channel)
    }
  }

  /// Brings the positions of a channel to rest.
  @_noLocks package mutating func reset(_ channel: UInt8) {
    for control in 0..<Self.controlCount { moved[control] &= ~(1 << UInt16(channel)) }
    pressed[Int(channel) * 2] = 0
    pressed[Int(channel) * 2 + 1] = 0
  }

  /// Whether all positions are at rest.
  package var areAtRest: Bool {
    @_noLocks get {
      var areAtRest = true
      for control in 0..<Self.controlCount where moved[control] != 0 { areAtRest = false }
      for word in 0..<32 where pressed[word] != 0 { areAtRest = false }
      return areAtRest
    }
  }

  /// Returns the message that moves the control of a message to its present position; `nil` if it is at rest.
  @_noLocks package func position(like message: ChannelMessage) -> ChannelMessage? {
    let channel = message.channel
    if Self.isOfKey(message) {
      let key = Int(channel) * 128 + Int(message.data1)
      if pressed[key >> 6] & 1 << UInt64(key & 63) == 0 { return nil }
      return ChannelMessage(.keyPressure, channel: channel, message.data1, pressures[key])
    }
    guard let control = Self.control(of: message), moved[control] & 1 << UInt16(channel) != 0
    else { return nil }
    return Self.message(
      control, values[Int(channel) * Self.controlCount + control], channel: channel)
  }

  /// Whether the control of a message, which brings it to rest, is where it is in `other`.
  @_noLocks package func isSame(as other: Self, for message: ChannelMessage) -> Bool {
    let (one, two) = (position(like: message) ?? message, other.position(like: message) ?? message)
    return one.data1 == two.data1 && one.data2 == two.data2
  }

  /// The messages that move an instrument's controls from rest to these positions. Realtime: no.
  package var messages: [ChannelMessage] {
    var (messages, rest) = ([ChannelMessage](), self)
    while let message = rest.popRest() {
      if let position = position(like: message) { messages.append(position) }
    }
    return messages
  }

  /// Brings one position to rest.
  ///
  /// - Returns: The message that does so in the instrument; `nil` if all are at rest.
  @_noLocks package mutating func popRest() -> ChannelMessage? {
    for word in 0..<32 where pressed[word] != 0 {
      let key = UInt8((word & 1) * 64 + pressed[word].trailingZeroBitCount)
      pressed[word] &= pressed[word] - 1
      return ChannelMessage(.keyPressure, channel: UInt8(word / 2), key, 0)
    }
    for control in 0..<Self.controlCount where moved[control] != 0 {
      let channel = UInt8(moved[control].trailingZeroBitCount)
      moved[control] &= moved[control] - 1
      return Self.message(control, Self.rest(of: control), channel: channel)
    }
    return nil
  }
}
