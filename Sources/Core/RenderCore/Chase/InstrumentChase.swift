/// The settings of the sixteen channels of an instrument; see ``ChannelChase``.
///
/// Realtime: yes, except ``difference(from:_:)`` and ``settings``.
package struct InstrumentChase: BitwiseCopyable, Sendable {
  private var channels = InlineArray<16, ChannelChase>(repeating: ChannelChase())

  @_noLocks package init() {}

  package subscript(channel: UInt8) -> ChannelChase {
    @_noLocks get { channels[Int(channel & 15)] }
  }

  /// Updates the settings from a channel message.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    channels[Int(message.channel)].follow(message)
  }

  /// Updates the settings from a System Exclusive message: GM, GM2, GS and XG System On reset everything.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks package mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    if SystemExclusive.resets(bytes) { self = InstrumentChase() }
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
