import CSegment
import LocalSystem

/// The direction of events, which selects one of a segment's two event FIFOs.
package enum EventDirection: Sendable {
  case toNode
  case toHost
}

extension Segment {
  /// The number of slots that have been written to a FIFO since its creation, modulo 2³².
  func written(_ direction: EventDirection) -> SharedWord {
    SharedWord(at: base, direction == .toNode ? \.to_node_written : \.to_host_written)
  }

  /// The number of slots that have been read from a FIFO since its creation, modulo 2³².
  func read(_ direction: EventDirection) -> SharedWord {
    SharedWord(at: base, direction == .toNode ? \.to_node_read : \.to_host_read)
  }

  /// The address of a FIFO's first slot.
  func slots(_ direction: EventDirection) -> UnsafeMutableRawPointer {
    base + SegmentLayout.slotsOffset(direction)
  }
}
