import CSegment
import Threads

/// Which of a segment's two event FIFOs is meant, by where its events go.
package enum EventDirection: Sendable {
  case toNode
  case toHost
}

extension Segment {
  /// Slots that have been written into a FIFO since the beginning.
  func written(_ direction: EventDirection) -> SharedWord {
    SharedWord(at: base, direction == .toNode ? \.to_node_written : \.to_host_written)
  }

  /// Slots that have been read from a FIFO since the beginning.
  func read(_ direction: EventDirection) -> SharedWord {
    SharedWord(at: base, direction == .toNode ? \.to_node_read : \.to_host_read)
  }

  /// A FIFO's first slot.
  func slots(_ direction: EventDirection) -> UnsafeMutableRawPointer {
    base + SegmentLayout.slotsOffset(direction)
  }
}
