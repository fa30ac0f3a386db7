package import NodeHost
package import RenderCore

/// An event received from a node, with its bytes.
package struct ReceivedEvent: Equatable, Sendable, CustomStringConvertible {
  /// The frame within the cycle or in the host's stream.
  package var frame: Int
  /// The bytes: of System Exclusive with F0 and F7, of all others three.
  package var bytes: [UInt8]

  package init(_ frame: Int, _ bytes: [UInt8]) {
    self.frame = frame
    self.bytes = bytes
  }

  package var description: String { "\(frame): \(bytes.prefix(6))" }
}

extension Connection {
  /// The events received in the last cycle.
  package var received: [ReceivedEvent] { receivedEvents.list }
}

extension MIDICycle {
  /// The events with their bytes.
  package var list: [ReceivedEvent] {
    events.map { event in
      let offset = Int(event.offset)
      switch event.content {
      case .channel(let message):
        return ReceivedEvent(offset, [message.status, message.data1, message.data2])
      case .system(let message):
        return ReceivedEvent(offset, [message.status, message.data1, message.data2])
      case .sysEx(let start, let count):
        return ReceivedEvent(offset, [0xF0] + sysEx[Int(start)..<Int(start + count)] + [0xF7])
      }
    }
  }
}
