import CSegment
package import RenderCore
import Synchronization

/// Copies the transports of a cycle from the shared memory to private memory, for the node.
///
/// The shared memory is not trusted: whatever the host has written, the resulting transports are in order and within
/// the cycle, the first one is at the first frame, and their numbers are finite and in range. Other transports are
/// skipped and counted.
///
/// Realtime: yes, except creation and destruction. Threads: the node's render thread.
package struct TransportReader: @unchecked Sendable {
  private let slots: UnsafeMutableRawPointer
  private let cycle: SegmentCycle
  private let points: UnsafeMutablePointer<TransportPoint>

  /// The number of malformed transports.
  package private(set) var malformed = 0

  package init(_ segment: Segment, in memory: RenderMemory) {
    slots = segment.transports
    cycle = segment.cycle
    let nothing = TransportPoint(offset: 0, Transport(provides: []))
    points = memory.make(TransportWriter.capacity, of: nothing)
  }

  /// Reads the transports of a cycle.
  ///
  /// - Parameter frames: The number of frames of the cycle: 1 or more.
  /// - Returns: The transports, valid until the next call.
  @_noLocks package mutating func next(frames: Int) -> UnsafeBufferPointer<TransportPoint> {
    var count = 0
    for index in 0..<min(Int(cycle.transports), TransportWriter.capacity) {
      let slot = slot(index)
      guard slot.isValid else {
        malformed += 1
        continue
      }
      // The first transport must apply to the start of the cycle, because nothing is known before it.
      var offset = count == 0 ? 0 : min(Int(slot.offset), frames - 1)
      if count > 0 { offset = max(offset, Int(points[count - 1].offset)) }
      points[count] = TransportPoint(offset: UInt32(offset), Transport(slot))
      count += 1
    }
    return UnsafeBufferPointer(start: points, count: count)
  }

  /// Returns a copy of a transport, made with atomic loads of 8 bytes, so that the validated value is the one used even
  /// if the host writes at the same time.
  @_noLocks private func slot(_ index: Int) -> segment_transport {
    let size = MemoryLayout<segment_transport>.size
    let atomics = (slots + index * size).assumingMemoryBound(to: Atomic<UInt64>.self)
    var slot = segment_transport()
    withUnsafeMutableBytes(of: &slot) { copy in
      for i in 0..<size / 8 {
        copy.storeBytes(
          of: atomics[i].load(ordering: .relaxed), toByteOffset: i * 8, as: UInt64.self)
      }
    }
    return slot
  }
}

extension segment_transport {
  fileprivate var provision: Transport.Provision {
    @_noLocks get { Transport.Provision(rawValue: flags & SEGMENT_PROVIDES.rawValue) }
  }

  /// Whether all numbers that the host provides are finite and in range.
  fileprivate var isValid: Bool {
    @_noLocks get {
      let provision = provision
      // All comparisons are false for NaN.
      return
        (!provision.has(.beat)
        || abs(beat) < 1e12 && tempo >= 0 && tempo < 1e6 && abs(tempo_slope) < 1e6)
        && (!provision.has(.meter) || abs(bar_start) < 1e12 && meter_count > 0 && meter_unit > 0)
        && (!provision.has(.loop) || abs(loop_start) < 1e12 && abs(loop_end) < 1e12)
    }
  }
}

extension Transport {
  /// Creates a transport. Values that the host does not provide have their defaults.
  @_noLocks fileprivate init(_ slot: segment_transport) {
    self.init(provides: slot.provision)
    isPlaying = slot.flags & SEGMENT_PLAYING.rawValue != 0
    isRecording = slot.flags & SEGMENT_RECORDING.rawValue != 0
    isLooping = slot.flags & SEGMENT_LOOPING.rawValue != 0
    if provides.has(.beat) {
      beat = slot.beat
      tempo = slot.tempo
      tempoSlope = slot.tempo_slope
    }
    if provides.has(.meter) {
      meter = Meter(slot.meter_count, slot.meter_unit)
      barStart = slot.bar_start
    }
    if provides.has(.loop) {
      loopStart = slot.loop_start
      loopEnd = slot.loop_end
    }
    if provides.has(.songFrame) { songFrame = max(-(1 << 62), min(1 << 62, slot.song_frame)) }
  }
}
