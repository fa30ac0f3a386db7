import CSegment
package import RenderCore
package import Threads

/// What host and node count for each other while they render. Each counter has one writer, goes around at 2³²,
/// and may be nonsense to its reader.
///
/// Realtime: yes.
package struct SegmentCounters: Sendable, BitwiseCopyable {
  /// Notes that did not begin on their frame. Node.
  package let lateNotes: SharedWord
  /// Changes whenever the node gets on with a cycle. Node.
  package let progress: SharedWord
  /// Input samples that were infinite or NaN. Node.
  package let invalidInput: SharedWord
  /// Output samples that were infinite or NaN. Host.
  package let invalidOutput: SharedWord
  /// Events for the host that found no room. Node.
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
  /// What a unit tells its host by these counters.
  ///
  /// - Parameter isOffline: Else nobody asks whether it gets on.
  package func feedback(isOffline: Bool) -> CycleFeedback {
    CycleFeedback(lateNotes: lateNotes.atomicWord, progress: isOffline ? progress.atomicWord : nil)
  }
}
