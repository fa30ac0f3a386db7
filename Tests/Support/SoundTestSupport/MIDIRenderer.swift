package import RenderCore
import Synchronization

/// Sends messages at positions of its device, and records those that it receives. It is silent.
///
/// Its state is never freed, because a device may outlive it at the end of a test.
package final class MIDIRenderer: Sendable {
  /// A message of three bytes, and its position.
  package struct Message: Equatable, Sendable {
    package let position: Int64
    package let message: ChannelMessage

    package init(_ position: Int64, _ message: ChannelMessage) {
      self.position = position
      self.message = message
    }
  }

  private nonisolated(unsafe) let state: UnsafeMutablePointer<State>

  private struct State: ~Copyable {
    static let capacity = 100_000
    let messages: UnsafeMutableBufferPointer<Message>
    let received: UnsafeMutablePointer<Message>
    let count = Atomic(0)
    let accepted = Atomic(0)
    let refused = Atomic(0)
    let cycles = Atomic(0)
    /// The messages are sent from this position on.
    let start = Atomic(Int64.max)
  }

  /// - Parameter messages: The messages in the order of their positions, which are counted from ``start()``.
  package init(sending messages: [Message] = []) {
    let buffer = UnsafeMutableBufferPointer<Message>.allocate(capacity: messages.count)
    _ = buffer.initialize(from: messages)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(messages: buffer, received: .allocate(capacity: State.capacity)))
  }

  package var renderer: Renderer { Renderer(state: state, renderMIDI) }

  /// Begins to send the messages with the next cycle.
  package func start() { state.pointee.start.store(-1, ordering: .releasing) }

  /// The position from which the positions of the messages are counted.
  package var startPosition: Int64 { state.pointee.start.load(ordering: .acquiring) }
  package var received: [Message] {
    (0..<state.pointee.count.load(ordering: .acquiring)).map { state.pointee.received[$0] }
  }
  /// The number of messages that were accepted.
  package var accepted: Int { state.pointee.accepted.load(ordering: .acquiring) }
  /// The number of messages that were refused.
  package var refused: Int { state.pointee.refused.load(ordering: .acquiring) }
  package var cycles: Int { state.pointee.cycles.load(ordering: .acquiring) }

  fileprivate static func render(_ state: UnsafeMutableRawPointer, _ cycle: RenderCycle) {
    let state = state.assumingMemoryBound(to: State.self)
    for channel in 0..<2 { cycle.output[channel].update(repeating: 0, count: cycle.frames) }
    _ = state.pointee.start.compareExchange(
      expected: -1, desired: cycle.position, ordering: .acquiringAndReleasing)
    let start = state.pointee.start.load(ordering: .acquiring)
    if start < .max {
      for message in state.pointee.messages {
        let offset = message.position + start - cycle.position
        if offset < 0 || offset >= cycle.frames { continue }
        let isAccepted = cycle.midiOutput.write(message.message, at: Int(offset))
        if isAccepted {
          state.pointee.accepted.wrappingAdd(1, ordering: .releasing)
        } else {
          state.pointee.refused.wrappingAdd(1, ordering: .releasing)
        }
      }
    }
    var count = state.pointee.count.load(ordering: .relaxed)
    for event in cycle.events {
      guard case .channel(let message) = event.content, count < State.capacity else { continue }
      state.pointee.received[count] = Message(cycle.position + Int64(event.offset), message)
      count += 1
    }
    state.pointee.count.store(count, ordering: .releasing)
    state.pointee.cycles.wrappingAdd(1, ordering: .releasing)
  }
}

private func renderMIDI(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  MIDIRenderer.render(state, cycle.renderCycle)
  return false
}
