import CRender
import CSegment
package import RenderCore

/// Writes the transports of a cycle to the shared memory, for the host.
///
/// Realtime: yes. Threads: the host's render thread, while the host owns the shared memory.
package struct TransportWriter: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutableRawPointer
  private let cycle: SegmentCycle

  /// The maximum number of transports of a cycle.
  package static var capacity: Int { @_noLocks get { Int(SEGMENT_TRANSPORTS) } }

  package init(_ segment: Segment) {
    slots = segment.transports
    cycle = segment.cycle
  }

  /// Writes the transports of a cycle, replacing those of the previous cycle.
  ///
  /// - Parameter points: The transports in order of their offsets. Those beyond ``capacity`` are ignored.
  @_noLocks package func write(_ points: UnsafeBufferPointer<TransportPoint>) {
    let count = min(points.count, Self.capacity)
    for index in 0..<count {
      slots.storeBytes(
        of: segment_transport(points[index]),
        toByteOffset: index * MemoryLayout<segment_transport>.stride, as: segment_transport.self)
    }
    cycle.transports = UInt32(count)
  }
}

extension segment_transport {
  @_noLocks fileprivate init(_ point: TransportPoint) {
    let transport = point.transport
    var flags = transport.provides.rawValue & SEGMENT_PROVIDES.rawValue
    if transport.isPlaying { flags |= SEGMENT_PLAYING.rawValue }
    if transport.isRecording { flags |= SEGMENT_RECORDING.rawValue }
    if transport.isLooping { flags |= SEGMENT_LOOPING.rawValue }
    self.init(
      offset: point.offset, flags: flags, meter_count: transport.meter.count,
      meter_unit: transport.meter.unit, unused: 0, beat: transport.beat, tempo: transport.tempo,
      tempo_slope: transport.tempoSlope, bar_start: transport.barStart,
      loop_start: transport.loopStart, loop_end: transport.loopEnd,
      song_frame: transport.songFrame)
  }
}
