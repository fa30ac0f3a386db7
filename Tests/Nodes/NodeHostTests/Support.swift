import LocalSystem
import NodeProtocol
import RenderCore
import Testing

@testable import NodeHost

func note(_ key: Int) -> ChannelMessage { ChannelMessage(.noteOn, channel: 0, UInt8(key), 100) }

/// A segment with both of its sides, used alternately by one thread.
final class BothSides {
  let host: Segment
  let node: Segment
  var state: HostState
  var reader: EventReader
  var sender: EventWriter
  let phase = AtomicConnectionState()
  private let memory = RenderMemory()

  init(
    _ format: Format = Format(maximumFrames: 64), mode: RenderMode = .realtime, lateLimit: Int = 50
  ) throws {
    let made = try Segment.make(format)
    host = made.segment
    let descriptor = OwnedDescriptor(made.descriptor)
    node = try withExtendedLifetime(descriptor) { try Segment(opening: descriptor.number, format) }
    phase.run()
    state = HostState(host, phase: phase, mode: mode, priority: 0, lateLimit: lateLimit, in: memory)
    reader = EventReader(node, .toNode, in: memory)
    sender = EventWriter(node, .toHost)
  }

  deinit {
    memory.release()
    phase.destroy()
  }

  func schedule(_ message: ChannelMessage, at offset: Int) -> ScheduleStatus {
    state.schedule(message, at: offset)
  }

  func schedule(_ bytes: [UInt8], at offset: Int = 0) -> ScheduleStatus {
    bytes.withUnsafeBufferPointer { state.schedule(bytes: $0, at: offset) }
  }

  /// - Returns: `nil` if the node must answer.
  func post(_ frames: Int = 64) -> RenderStatus? {
    state.post(frames: frames, hostTime: 5, together: false)
  }

  /// Acts as the node: sends an event, which is visible to the host when the cycle is answered.
  func send(_ message: ChannelMessage, at frame: Int) {
    if !sender.write(message, at: Int64(frame)) { Issue.record("the FIFO is full") }
  }

  func finish(within limit: Int64? = 0) -> RenderStatus { state.finish(within: limit) }

  /// Acts as the node: reads the events, fills all output with a value, and answers.
  ///
  /// - Returns: Each event's offset and key.
  @discardableResult
  func answer(_ value: Float = 1) -> [[Int]] {
    let taken = reader.next(from: node.cycle.position, frames: Int(node.cycle.frames))
    for channel in 0..<node.layout.format.outputChannels {
      node.output(channel: channel).update(
        repeating: value, count: node.layout.format.maximumFrames)
    }
    sender.publish()
    node.cycle.answered.store(node.cycle.posted.value)
    return list(taken)
  }

  /// The events that the host received in the last cycle: offset and key of each.
  var received: [[Int]] { list(state.received) }

  private func list(_ cycle: MIDICycle) -> [[Int]] {
    cycle.events.map { event in
      switch event.content {
      case .channel(let message): [Int(event.offset), Int(message.data1)]
      case .sysEx(_, let count): [Int(event.offset), -Int(count)]
      case .system(let message): [Int(event.offset), Int(message.status)]
      }
    }
  }

  /// Renders a cycle that is answered in time.
  func cycle(_ frames: Int = 64) -> [[Int]] {
    _ = post(frames)
    let taken = answer()
    _ = finish()
    return taken
  }

  /// The value of the first channel in the last cycle, or NaN if its samples differ.
  var output: Float {
    let samples = state.output(channel: 0)
    let first = samples[0]
    return (0..<state.frames).allSatisfy { samples[$0] == first } ? first : .nan
  }
}

extension SysExPool {
  /// Returns a message's bytes, read back through a FIFO.
  func bytes(of message: Message) -> [UInt8] {
    guard let made = try? Segment.make(Format(maximumFrames: 64)) else { return [] }
    let descriptor = OwnedDescriptor(made.descriptor)
    return withExtendedLifetime((made.segment, descriptor)) {
      var writer = EventWriter(made.segment, .toNode)
      let memory = RenderMemory()
      defer { memory.release() }
      var reader = EventReader(made.segment, .toNode, in: memory)
      guard write(message, to: &writer, at: 0) else { return [] }
      writer.publish()
      return Array(reader.next(from: 0, frames: 64).sysEx)
    }
  }
}
