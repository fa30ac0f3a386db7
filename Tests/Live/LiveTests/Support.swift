import ConnectionTestSupport
import LiveMIDI
import RenderCore
import Synchronization

let keyboard = LiveInput.Source(1)
let otherKeyboard = LiveInput.Source(2)

func on(_ key: UInt8, channel: UInt8 = 0) -> MIDIContent {
  .channel(ChannelMessage(.noteOn, channel: channel, key, 100))
}

func off(_ key: UInt8, channel: UInt8 = 0) -> MIDIContent {
  .channel(ChannelMessage(.noteOff, channel: channel, key, 64))
}

func pedal(_ value: UInt8) -> MIDIContent {
  .channel(ChannelMessage(.controlChange, channel: 0, 64, value))
}

/// A consumer of a live input, of which each cycle receives all that has been sent.
final class Player {
  private let consumer: LiveInputConsumer
  private let output = StereoOutput(frames: 480)
  private var position: Int64 = 0

  init(_ input: LiveInput, as role: LiveInput.ConsumerRole = .device) {
    consumer = LiveInputConsumer(
      to: input, as: role, sampleRate: 48_000, host: EventCapacity(events: 4096, bytes: 4096))
    consumer.begin()
  }

  func end() { consumer.end() }

  /// Renders a cycle.
  ///
  /// - Parameters:
  ///   - messages: Those of the host or the device.
  ///   - hasSourceEnded: Whether the source of earlier ones has ended.
  /// - Returns: The messages that the port's own unit receives.
  func played(_ messages: [ChannelMessage] = [], hasSourceEnded: Bool = false) -> [[UInt8]] {
    let events = messages.map { MIDIEvent(offset: 0, content: .channel($0)) }
    return events.withUnsafeBufferPointer { events in
      var cycle = RenderCycle(
        midi: MIDICycle(frames: 480, events: events), position: position, hostTime: .max / 4,
        output: UnsafePointer(output.pointers))
      cycle.hasSourceEnded = hasSourceEnded
      position += 480
      return consumer.events.pointee.merge(into: cycle, now: .max / 4).events.map { event in
        guard case .channel(let message) = event.content else { return [0xF0] }
        return [message.status, message.data1, message.data2]
      }
    }
  }
}

extension EventFIFO.Reader {
  /// Removes and returns all events.
  func takeAll() -> [EventFIFO.Event] {
    var events: [EventFIFO.Event] = []
    while let (event, _) = next() { events.append(event) }
    return events
  }
}

/// The ``EventFIFO/Event/status`` of the end of a source.
let sourceEnd: [UInt8] = []

extension EventFIFO.Event {
  var status: [UInt8] {
    if number & Self.end != 0 { return sourceEnd }
    return switch content {
    case .channel(let message): [message.status, message.data1, message.data2]
    case .system(let message): [message.status, message.data1, message.data2]
    case .sysEx: [0xF0]
    }
  }
}
