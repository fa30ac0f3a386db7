import MIDICore

/// What the sixteen channels are set to.
struct SongSound: BitwiseCopyable {
  private var channels = InlineArray<16, ChannelSound>(repeating: ChannelSound())

  mutating func follow(_ message: ChannelMessage) {
    channels[Int(message.channel)].follow(message)
  }

  /// Says what makes this of an instrument that is set to `other`.
  func difference(from other: SongSound, _ say: (ChannelMessage) -> Void) {
    for channel in 0..<16 {
      channels[channel].difference(from: other.channels[channel], channel: UInt8(channel), say)
    }
  }
}
