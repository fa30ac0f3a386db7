import CSegment
import Glibc
import LocalSystem
import RenderCore

@testable import NodeProtocol

/// One segment as seen from both sides.
struct SharedSegment: Sendable {
  let host: Segment
  let node: Segment

  init(_ format: Format = Format(maximumFrames: 64)) throws {
    let made = try Segment.make(format)
    defer { close(made.descriptor) }
    host = made.segment
    node = try Segment(opening: made.descriptor, format)
  }

  /// The current bytes of the segment.
  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: host.base, count: host.layout.size)) }

  /// Returns the byte range of a FIFO's slots.
  static func slots(_ direction: EventDirection) -> Range<Int> {
    let bytes = SegmentLayout.eventSlots * SegmentLayout.slotSize
    let begin = Int(SEGMENT_TO_NODE_OFFSET) + (direction == .toNode ? 0 : bytes)
    return begin..<begin + bytes
  }
}

/// An event read from the FIFO, with its bytes.
struct Taken: Equatable {
  var offset: Int
  /// The bytes; System Exclusive includes F0 and F7.
  var bytes: [UInt8]
}

extension MIDICycle {
  var taken: [Taken] {
    events.map { event in
      switch event.content {
      case .channel(let message):
        Taken(offset: Int(event.offset), bytes: message.bytes)
      case .sysEx(let start, let count):
        Taken(
          offset: Int(event.offset),
          bytes: [0xF0] + sysEx[Int(start)..<Int(start + count)] + [0xF7])
      case .system(let message):
        Taken(offset: Int(event.offset), bytes: message.bytes)
      }
    }
  }
}

extension ChannelMessage {
  var bytes: [UInt8] {
    Self.dataCount(ofStatus: status) == 2 ? [status, data1, data2] : [status, data1]
  }
}

extension SystemMessage {
  var bytes: [UInt8] {
    [status] + [data1, data2].prefix(Self.dataCount(ofStatus: status) ?? 0)
  }
}

func note(_ key: Int) -> ChannelMessage { ChannelMessage(.noteOn, channel: 0, UInt8(key), 100) }

/// Returns data bytes that depend on their position.
func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
  (0..<count).map { place -> UInt8 in
    let value = start + place * 7 + place / 128
    return UInt8(value & 0x7F)
  }
}

/// Returns the number of open descriptors of this process.
func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

extension String {
  /// Reads a file whose size is unknown, such as those in /proc.
  init(atPath path: String) throws {
    guard let file = fopen(path, "r") else { throw SystemError(call: "fopen") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
