import CSegment
package import RenderCore
import Synchronization

/// The node's end of a cycle's transports: reads them into memory of its own.
///
/// Whatever the host has written, the list that comes out is in order, within the cycle, the first at its first
/// frame, and of numbers that one can reckon with; a transport that has others is left out and counted.
///
/// Realtime: yes, apart from making and destroying it. Threads: the node's render thread.
package struct TransportReader: @unchecked Sendable {
  private let slots: UnsafeMutableRawPointer
  private let cycle: SegmentCycle
  private let points: UnsafeMutablePointer<TransportPoint>

  /// Transports that were none.
  package private(set) var malformed = 0

  /// Allocates. ``destroy()`` must follow.
  package init(_ segment: Segment) {
    slots = segment.transports
    cycle = segment.cycle
    points = .allocate(capacity: TransportWriter.capacity)
    let nothing = TransportPoint(offset: 0, Transport(provides: []))
    points.initialize(repeating: nothing, count: TransportWriter.capacity)
  }

  package func destroy() { points.deallocate() }

  /// - Parameter frames: Those of the cycle: 1 or more.
  /// - Returns: Valid until the next call.
  @_noLocks package mutating func next(frames: Int) -> UnsafeBufferPointer<TransportPoint> {
    var count = 0
    for index in 0..<min(Int(cycle.transports), TransportWriter.capacity) {
      let slot = slot(index)
      guard slot.isSound else {
        malformed += 1
        continue
      }
      // Before the first there is nothing that one could know.
      var offset = count == 0 ? 0 : min(Int(slot.offset), frames - 1)
      if count > 0 { offset = max(offset, Int(points[count - 1].offset)) }
      points[count] = TransportPoint(offset: UInt32(offset), Transport(slot))
      count += 1
    }
    return UnsafeBufferPointer(start: points, count: count)
  }

  /// One copy, loaded piece by piece, so that what is checked is what is used even while the host writes.
  @_noLocks private func slot(_ index: Int) -> segment_transport {
    let size = MemoryLayout<segment_transport>.size
    let pieces = (slots + index * size).assumingMemoryBound(to: Atomic<UInt64>.self)
    var slot = segment_transport()
    withUnsafeMutableBytes(of: &slot) { copy in
      for piece in 0..<size / 8 {
        copy.storeBytes(
          of: pieces[piece].load(ordering: .relaxed), toByteOffset: piece * 8, as: UInt64.self)
      }
    }
    return slot
  }
}

extension segment_transport {
  /// Whether one can reckon with its numbers: as large as they may be, and no larger.
  fileprivate var isSound: Bool {
    @_noLocks get {
      // Every comparison is false for NaN.
      abs(beat) < 1e12 && tempo >= 0 && tempo < 1e6 && abs(tempo_slope) < 1e6
        && abs(bar_start) < 1e12 && abs(loop_start) < 1e12 && abs(loop_end) < 1e12
        && meter_count > 0 && meter_unit > 0
    }
  }
}

extension Transport {
  @_noLocks fileprivate init(_ slot: segment_transport) {
    self.init(provides: Provision(rawValue: slot.flags & SEGMENT_PROVIDES.rawValue))
    isPlaying = slot.flags & SEGMENT_PLAYING.rawValue != 0
    isRecording = slot.flags & SEGMENT_RECORDING.rawValue != 0
    isLooping = slot.flags & SEGMENT_LOOPING.rawValue != 0
    meter = Meter(slot.meter_count, slot.meter_unit)
    beat = slot.beat
    tempo = slot.tempo
    tempoSlope = slot.tempo_slope
    barStart = slot.bar_start
    loopStart = slot.loop_start
    loopEnd = slot.loop_end
    songFrame = max(-(1 << 62), min(1 << 62, slot.song_frame))
  }
}
