import LiveMIDI
package import RenderCore
import Synchronization

/// A module that keeps what it receives.
package final class RecordedModule: MIDIDestination {
  private let received = Mutex<[MIDIContent]>([])

  package init() {}

  package func send(_ content: MIDIContent) { received.withLock { $0.append(content) } }

  /// Returns the messages since the last call.
  package func take() -> [MIDIContent] {
    received.withLock { received in
      defer { received = [] }
      return received
    }
  }

  /// Returns the bytes of the channel messages since the last call.
  package func takeBytes() -> [[UInt8]] {
    take().compactMap { content in
      guard case .channel(let message) = content else { return nil }
      let count = ChannelMessage.dataCount(ofStatus: message.status)
      return [message.status] + [message.data1, message.data2].prefix(count)
    }
  }
}
