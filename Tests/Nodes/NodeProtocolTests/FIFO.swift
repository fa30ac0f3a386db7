import CSegment
import LocalSystem
import RenderCore
import TestSupport

@testable import NodeProtocol

/// Both ends of an event FIFO, with a function to corrupt its slots.
final class FIFO {
  let direction: EventDirection
  let shared: SharedSegment
  var writer: EventWriter
  private let memory = RenderMemory()
  var reader: EventReader
  let written: SharedWord
  let read: SharedWord

  init(_ direction: EventDirection = .toNode) throws {
    self.direction = direction
    shared = try SharedSegment()
    let (from, to) =
      direction == .toNode ? (shared.host, shared.node) : (shared.node, shared.host)
    writer = EventWriter(from, direction)
    reader = EventReader(to, direction, in: memory)
    written = from.written(direction)
    read = to.read(direction)
  }

  func write(_ message: ChannelMessage, at frame: Int64) -> Bool {
    writer.write(message, at: frame)
  }

  func write(_ message: SystemMessage, at frame: Int64) -> Bool {
    writer.write(message, at: frame)
  }

  func write(_ change: ParameterChange, at frame: Int64) -> Bool {
    writer.write(change, at: frame)
  }

  func write(sysEx bytes: [UInt8], at frame: Int64 = 0) -> Bool {
    guard writer.begin(sysEx: bytes.count, at: frame) else { return false }
    for start in stride(from: 0, to: bytes.count, by: SegmentLayout.slotSize) {
      // Bytes after the message's end must not matter.
      let piece = bytes[start...].prefix(SegmentLayout.slotSize)
      (piece + Array(repeating: 0xFF, count: 16)).withUnsafeBytes { writer.append($0.baseAddress!) }
    }
    return true
  }

  func publish(_ events: [(Int64, ChannelMessage)] = []) {
    for (frame, message) in events { _ = writer.write(message, at: frame) }
    writer.publish()
  }

  func next(from begin: Int64) -> [Taken] { reader.next(from: begin, frames: 64).taken }
  func offsets(from begin: Int64) -> [Int] { next(from: begin).map(\.offset) }

  /// Writes any slot directly.
  func store(_ slot: segment_slot, at index: Int) {
    shared.host.slots(direction).storeBytes(
      of: slot, toByteOffset: index * 16, as: segment_slot.self)
  }
}
