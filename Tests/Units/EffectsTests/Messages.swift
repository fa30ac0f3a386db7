import RenderCore

extension ChannelMessage {
  static func on(_ key: UInt8, _ velocity: UInt8 = 100, channel: UInt8 = 0) -> Self {
    ChannelMessage(.noteOn, channel: channel, key, velocity)
  }

  static func off(_ key: UInt8, channel: UInt8 = 0) -> Self {
    ChannelMessage(.noteOff, channel: channel, key, 64)
  }

  static func control(_ controller: UInt8, _ value: UInt8, channel: UInt8 = 0) -> Self {
    ChannelMessage(.controlChange, channel: channel, controller, value)
  }

  /// Returns a pitch bend on the first channel, for a range of ±2 semitones.
  static func bend(_ semitones: Double) -> Self {
    let position = min(16_383, Int(8192 + 8192 * semitones / 2))
    return ChannelMessage(.pitchBend, channel: 0, UInt8(position & 127), UInt8(position >> 7))
  }
}
