import CRender
import CSegment
package import RenderCore

/// The host's end of a cycle's transports.
///
/// Realtime: yes. Threads: the host's render thread, while the cycle is its own.
package struct TransportWriter: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutableRawPointer
  private let cycle: SegmentCycle

  /// The most transports that a cycle can have.
  package static var capacity: Int { @_noLocks get { Int(SEGMENT_TRANSPORTS) } }

  package init(_ segment: Segment) {
    slots = segment.transports
    cycle = segment.cycle
  }

  /// Writes a cycle's transports in place of those before.
  ///
  /// - Parameter points: In order of offsets; as many as there is room for.
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
