package import LiveMIDI
package import RenderCore

/// Records the events that are sent to an input, as its only consumer.
package final class InputRecorder {
  package let input = LiveInput()
  private let fifo = InputFIFO()

  package struct Event: Equatable {
    package let content: LiveInput.Content
    package let source: UInt8
    package let time: Int64

    package init(content: LiveInput.Content, source: UInt8, time: Int64) {
      self.content = content
      self.source = source
      self.time = time
    }
  }

  package init() {
    input.add(fifo, as: .device, at: 0)
  }

  /// Returns and removes the events received since the last call.
  package func drain() -> [Event] {
    var events: [Event] = []
    while let (event, sysEx) = fifo.reader.next() {
      let content: LiveInput.Content =
        switch event.content {
        case .channel(let message): .channel(message)
        case .system(let message): .system(message)
        case .sysEx: .sysEx(sysEx)
        }
      events.append(Event(content: content, source: UInt8(event.number), time: event.time))
    }
    return events
  }
}

extension LiveInput.Content {
  /// Creates a channel message, such as a note or a controller, on the first channel.
  package static func channel(_ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8) -> Self {
    .channel(ChannelMessage(kind, channel: 0, data1, data2))
  }
}
