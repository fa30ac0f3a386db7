package import LiveMIDI
package import RenderCore

/// Records the events that are sent to an input, as its only consumer.
package final class InputRecorder {
  package let input = LiveInput()
  private let fifo = InputFIFO()
  private var reader: InputReader

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
    reader = fifo.reader
    input.setConsumer(fifo, of: .device, at: 0)
  }

  /// Returns and removes the events received since the last call.
  package func drain() -> [Event] {
    var events: [Event] = []
    while let slot = reader.first {
      if let content = content(of: slot) {
        events.append(Event(content: content, source: slot.source, time: slot.time))
      }
      reader.removeFirst()
    }
    return events
  }

  private func content(of slot: InputSlot) -> LiveInput.Content? {
    let (status, data1, data2) = slot.bytes
    if status == 0xF0 {
      let count = Int(slot.count)
      return .sysEx(
        [UInt8](unsafeUninitializedCapacity: max(count, 1)) { bytes, initialized in
          if let target = bytes.baseAddress { reader.copySysEx(count, to: target) }
          initialized = count
        })
    }
    return ChannelMessage(status: status, data1: data1, data2: data2).map { .channel($0) }
      ?? SystemMessage(status: status, data1: data1, data2: data2).map { .system($0) }
  }
}

extension LiveInput.Content {
  /// Creates a channel message, such as a note or a controller, on the first channel.
  package static func channel(_ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8) -> Self {
    .channel(ChannelMessage(kind, channel: 0, data1, data2))
  }
}
