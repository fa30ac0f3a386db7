import ConnectionTestSupport
import RenderCore
import Synchronization

@testable import LiveMIDI

let keyboard = LiveInput.Source(1)
let otherKeyboard = LiveInput.Source(2)

func on(_ key: UInt8, channel: UInt8 = 0) -> LiveInput.Content {
  .channel(ChannelMessage(.noteOn, channel: channel, key, 100))
}

func off(_ key: UInt8, channel: UInt8 = 0) -> LiveInput.Content {
  .channel(ChannelMessage(.noteOff, channel: channel, key, 64))
}

func pedal(_ value: UInt8) -> LiveInput.Content {
  .channel(ChannelMessage(.controlChange, channel: 0, 64, value))
}

extension InputReader {
  /// Removes and returns all slots.
  mutating func takeAll() -> [InputSlot] {
    var slots: [InputSlot] = []
    while let slot = first {
      slots.append(slot)
      removeFirst()
    }
    return slots
  }
}

extension InputSlot {
  var status: [UInt8] { [bytes.0, bytes.1, bytes.2] }
}
