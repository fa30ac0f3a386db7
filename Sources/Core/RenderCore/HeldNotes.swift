/// The keys and switches that one source of notes holds, so that they can be released when the source disappears.
/// Switches are controllers 64 to 69: sustain, portamento, sostenuto, soft, legato and hold 2.
///
/// Realtime: yes.
public struct HeldNotes: Sendable, BitwiseCopyable {
  /// One bit for each channel and key.
  private var keys = InlineArray<32, UInt64>(repeating: 0)
  /// One bit for each channel, for each of controllers 64 to 69.
  private var switches = InlineArray<6, UInt16>(repeating: 0)

  @_noLocks public init() {}

  /// The number of keys that are down.
  public var count: Int {
    @_noLocks get {
      var count = 0
      for i in 0..<32 { count += keys[i].nonzeroBitCount }
      return count
    }
  }

  /// Whether every key is up and every switch is off.
  public var isEmpty: Bool {
    @_noLocks get {
      var isOff = true
      for i in 0..<6 where switches[i] != 0 { isOff = false }
      return isOff && count == 0
    }
  }

  /// Updates the held keys and switches from a channel message.
  @_noLocks public mutating func follow(_ message: ChannelMessage) {
    let word = Int(message.channel) * 2 + Int(message.data1 >> 6)
    let bit = UInt64(1) << UInt64(message.data1 & 63)
    if message.startsNote {
      keys[word] |= bit
    } else if message.endsNote {
      // One note-off ends all notes of a key, as in FluidSynth.
      keys[word] &= ~bit
    } else if case .controlChange = message.kind {
      followController(message)
    }
  }

  @_noLocks private mutating func followController(_ message: ChannelMessage) {
    let channel = UInt16(1) << UInt16(message.channel)
    switch message.data1 {
    case 64...69:
      let number = Int(message.data1 - 64)
      if message.data2 >= 64 {
        switches[number] |= channel
      } else {
        switches[number] &= ~channel
      }
    case 121: for number in 0..<6 { switches[number] &= ~channel }
    case 120, 123...127:
      keys[Int(message.channel) * 2] = 0
      keys[Int(message.channel) * 2 + 1] = 0
    default: break
    }
  }

  /// Updates the state from a System Exclusive message: GM, GM2, GS and XG System On release everything.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks public mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    if SystemExclusive.resets(bytes) { self = HeldNotes() }
  }

  /// Removes one key that `other` does not hold.
  ///
  /// - Returns: The message that releases it; `nil` when there is none.
  @_noLocks package mutating func popKey(notHeldBy other: HeldNotes) -> ChannelMessage? {
    for word in 0..<32 {
      let keys = keys[word] & ~other.keys[word]
      if keys == 0 { continue }
      let key = (word & 1) * 64 + keys.trailingZeroBitCount
      self.keys[word] &= ~(keys & (~keys &+ 1))
      return ChannelMessage(.noteOff, channel: UInt8(word / 2), UInt8(key), 64)
    }
    return nil
  }

  /// Removes one key or switch: keys first, then switches in the order of their numbers.
  ///
  /// - Returns: The message that releases it; `nil` when nothing is held.
  @_noLocks public mutating func popRelease() -> ChannelMessage? {
    for word in 0..<32 where keys[word] != 0 {
      let key = (word & 1) * 64 + keys[word].trailingZeroBitCount
      keys[word] &= keys[word] - 1
      return ChannelMessage(.noteOff, channel: UInt8(word / 2), UInt8(key), 64)
    }
    for number in 0..<6 where switches[number] != 0 {
      let channel = UInt8(switches[number].trailingZeroBitCount)
      switches[number] &= switches[number] - 1
      return ChannelMessage(.controlChange, channel: channel, UInt8(64 + number), 0)
    }
    return nil
  }
}
