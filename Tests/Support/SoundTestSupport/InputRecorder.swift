package import LiveMIDI
package import RenderCore

/// Records the events that are sent to an input, as its sound device.
package final class InputRecorder {
  package let input: LiveInput
  private let fifo: InputFIFO
  private var sources: [UInt8: SourceState] = [:]

  package struct Event: Equatable {
    package let content: MIDIContent
    package let source: UInt8
    package let time: Int64

    package init(content: MIDIContent, source: UInt8, time: Int64) {
      self.content = content
      self.source = source
      self.time = time
    }
  }

  /// - Parameter unit: The unit that the device plays.
  package init(_ input: LiveInput = LiveInput(), for unit: (any RenderUnit)? = nil) {
    self.input = input
    fifo = InputFIFO(for: unit)
    input.add(fifo, as: .device, at: 0)
  }

  /// Returns and removes the events received since the last call. When a source ends, they are the messages that end what it
  /// holds.
  package func drain() -> [Event] {
    var events: [Event] = []
    while let (event, sysEx) = fifo.reader.next() {
      let source = UInt8(event.number & 0x3F)
      func add(_ content: MIDIContent) {
        events.append(Event(content: content, source: source, time: event.time))
      }
      if event.number & EventFIFO.Event.end != 0 {
        while let message = sources[source]?.popEnd() { add(.channel(message)) }
        continue
      }
      switch event.content {
      case .channel(let message):
        sources[source, default: SourceState()].follow(message)
        add(.channel(message))
      case .system(let message): add(.system(message))
      case .sysEx: add(.sysEx(sysEx))
      }
    }
    return events
  }
}

extension [InputRecorder.Event] {
  /// The channel messages among the events.
  package var messages: [ChannelMessage] {
    compactMap { if case .channel(let message) = $0.content { message } else { nil } }
  }
}

extension MIDIContent {
  /// Creates a channel message, such as a note or a controller, on the first channel.
  package static func channel(_ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8) -> Self {
    .channel(ChannelMessage(kind, channel: 0, data1, data2))
  }
}
