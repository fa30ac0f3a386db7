/// The settings of the sixteen channels of an instrument; see ``ChannelChase``. With System Exclusive that makes parts play
/// other channels, they are the settings of the parts.
///
/// Realtime: yes, except ``difference(from:_:)`` and ``settings``.
package struct InstrumentChase: BitwiseCopyable, Sendable {
  private var channels = InlineArray<16, ChannelChase>(repeating: ChannelChase())
  /// The settings by System Exclusive, apart from those that channel messages make as well.
  private var module = ModuleSettings()

  @_noLocks package init() {}

  package subscript(channel: UInt8) -> ChannelChase {
    @_noLocks get { channels[Int(channel & 15)] }
  }

  /// Updates the settings from a channel message.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    var parts = module.parts(playing: message.channel)
    while parts != 0 {
      channels[parts.trailingZeroBitCount].follow(message)
      parts &= parts - 1
    }
  }

  /// Updates the settings from a System Exclusive message of GM, GM2, GS or XG. Messages of the MIDI tuning standard are
  /// ignored.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks package mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    var message = SystemExclusive(bytes)
    while let meaning = message.next() {
      if case .reset(let system) = meaning {
        self = InstrumentChase()
        channels[9].controllers[0] = system.rhythmBank ?? 0
        channels[9].bank = ControllerPair(coarse: system.rhythmBank ?? 0, fine: 0)
      }
      module.follow(meaning)
      var index = 0
      while let message = meaning.message(index, in: module.system) {
        channels[Int(message.channel)].follow(message)
        index += 1
      }
    }
  }

  /// Calls `send` with each message that brings an instrument from the settings of `other` to these settings, and
  /// `sendSysEx` with System Exclusive messages among them, without F0 and F7. If any is needed, a reset is the first.
  package func difference(
    from other: InstrumentChase, sendSysEx: ([UInt8]) -> Void, _ send: (ChannelMessage) -> Void
  ) {
    // While parts play their own channels, a message of a channel reaches the part of the same number only.
    if module.isSame(as: other.module), !module.routes { return difference(from: other, send) }
    var other = other
    for bytes in module.messages {
      bytes.withUnsafeBufferPointer { other.follow(sysEx: $0) }
      sendSysEx(bytes)
    }
    difference(from: other, send)
    for bytes in module.routing { sendSysEx(bytes) }
  }

  /// Calls `send` with each message that brings an instrument from the settings of `other` to these settings.
  package func difference(from other: InstrumentChase, _ send: (ChannelMessage) -> Void) {
    write(send) { channel, target in
      self[channel].writeDifference(from: other[channel], channel: channel, to: target)
    }
  }

  /// The messages that bring a new instrument to the settings that messages have made, without keys and switches.
  package var settings: [ChannelMessage] {
    var messages: [ChannelMessage] = []
    write({ messages.append($0) }) { channel, target in
      self[channel].writeSettings(channel: channel, to: target)
    }
    return messages
  }

  private func write(
    _ send: (ChannelMessage) -> Void,
    _ body: (UInt8, UnsafeMutablePointer<ChannelMessage>) -> Int
  ) {
    withUnsafeTemporaryAllocation(
      of: ChannelMessage.self, capacity: ChannelChase.maximumMessages
    ) { buffer in
      guard let target = buffer.baseAddress else { return }
      for channel in UInt8(0)..<16 {
        for index in 0..<body(channel, target) { send(target[index]) }
      }
    }
  }
}
