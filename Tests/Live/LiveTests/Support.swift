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

extension EventFIFO.Reader {
  /// Removes and returns all events.
  func takeAll() -> [EventFIFO.Event] {
    var events: [EventFIFO.Event] = []
    while let (event, _) = next() { events.append(event) }
    return events
  }
}

extension EventFIFO.Event {
  var status: [UInt8] {
    switch content {
    case .channel(let message): [message.status, message.data1, message.data2]
    case .system(let message): [message.status, message.data1, message.data2]
    case .sysEx: [0xF0]
    }
  }
}
