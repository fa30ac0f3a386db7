/// What the sixteen channels of an instrument are set to: ``ChannelChase``.
///
/// Realtime: yes, apart from what makes arrays or takes a closure.
package struct InstrumentChase: BitwiseCopyable, Sendable {
  private var channels = InlineArray<16, ChannelChase>(repeating: ChannelChase())

  @_noLocks package init() {}

  package subscript(channel: UInt8) -> ChannelChase {
    @_noLocks get { channels[Int(channel & 15)] }
  }

  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    channels[Int(message.channel)].follow(message)
  }

  /// Follows a System Exclusive message: GM, GM2, GS and XG system on reset everything.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks package mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    if HeldNotes.resetsAll(bytes) { self = InstrumentChase() }
  }

  /// Tells what sets an instrument to this that is set to `other`.
  package func difference(from other: InstrumentChase, _ tell: (ChannelMessage) -> Void) {
    write(tell) { channel, target in
      self[channel].writeDifference(from: other[channel], channel: channel, to: target)
    }
  }

  /// What has been set since the beginning, for an instrument that is new, without what is held.
  package var settings: [ChannelMessage] {
    var messages: [ChannelMessage] = []
    write({ messages.append($0) }) { channel, target in
      self[channel].writeSettings(channel: channel, to: target)
    }
    return messages
  }

  private func write(
    _ tell: (ChannelMessage) -> Void,
    _ body: (UInt8, UnsafeMutablePointer<ChannelMessage>) -> Int
  ) {
    withUnsafeTemporaryAllocation(
      of: ChannelMessage.self, capacity: ChannelChase.maximumMessages
    ) { buffer in
      guard let target = buffer.baseAddress else { return }
      for channel in UInt8(0)..<16 {
        for index in 0..<body(channel, target) { tell(target[index]) }
      }
    }
  }
}
