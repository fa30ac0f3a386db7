import CSegment
package import LocalSystem
package import RenderCore

/// The shared counters that host and node update while they render. Each counter has one writer and wraps at 2³². The
/// reader must not trust its value.
///
/// Realtime: yes.
package struct SegmentCounters: Sendable, BitwiseCopyable {
  /// Notes that did not start on their frame. Written by the node.
  package let lateNotes: SharedWord
  /// Changes whenever the node makes progress with a cycle. Written by the node.
  package let progress: SharedWord
  /// Infinite or NaN input samples. Written by the node.
  package let invalidInput: SharedWord
  /// Infinite or NaN output samples. Written by the host.
  package let invalidOutput: SharedWord
  /// Events for the host that were dropped because the FIFO was full. Written by the node.
  package let refusedEvents: SharedWord

  init(base: UnsafeMutableRawPointer) {
    lateNotes = SharedWord(at: base, \.late_notes)
    progress = SharedWord(at: base, \.progress)
    invalidInput = SharedWord(at: base, \.invalid_input)
    invalidOutput = SharedWord(at: base, \.invalid_output)
    refusedEvents = SharedWord(at: base, \.to_host_refused)
  }
}

extension Segment {
  package var counters: SegmentCounters { SegmentCounters(base: base) }
}

extension SegmentCounters {
  /// Returns the feedback by which a unit updates these counters.
  ///
  /// - Parameter isOffline: Whether to report progress. Only offline hosts read it.
  package func feedback(isOffline: Bool) -> CycleFeedback {
    CycleFeedback(lateNotes: lateNotes.atomicWord, progress: isOffline ? progress.atomicWord : nil)
  }
}
