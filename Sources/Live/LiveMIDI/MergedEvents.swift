import RenderCore

/// The merged events of a cycle: those for the unit to play, and those of keyboards for the host to record.
///
/// Realtime: yes, except ``init(capacity:in:)``, which allocates.
struct MergedEvents: BitwiseCopyable {
  private let played: UnsafeMutablePointer<MIDIEvent>
  private let recorded: UnsafeMutablePointer<MIDIEvent>
  private let capacity: Int
  private var playedCount = 0
  private var recordedCount = 0
  /// The offset of the event that is being merged.
  private var offset: UInt32 = 0
  /// Whether the host sent the event that is being merged.
  private var isOfHost = false

  /// - Parameter capacity: The maximum number of events of all sources in a cycle.
  init(capacity: Int, in memory: RenderMemory) {
    // Each message that merging adds ends a note or resets a setting that another message has started or set.
    self.capacity = 2 * capacity + SourceMerger.maximumAdded
    played = memory.reserve(self.capacity)
    recorded = memory.reserve(self.capacity)
  }

  /// Removes all events, for the next cycle.
  @_noLocks mutating func clear() {
    playedCount = 0
    recordedCount = 0
  }

  /// Begins an event. All messages appended before the next call have its offset.
  @_noLocks mutating func begin(at offset: UInt32, isOfHost: Bool) {
    self.offset = offset
    self.isOfHost = isOfHost
  }

  @_noLocks mutating func append(_ content: MIDIEvent.Content, _ route: EventRoute) {
    let event = MIDIEvent(offset: offset, content: content)
    if route.isPlayed, playedCount < capacity {
      played[playedCount] = event
      playedCount += 1
    }
    if route.isRecorded, !isOfHost, recordedCount < capacity {
      recorded[recordedCount] = event
      recordedCount += 1
    }
  }

  var toPlay: UnsafeBufferPointer<MIDIEvent> {
    @_noLocks get { UnsafeBufferPointer(start: played, count: playedCount) }
  }

  var toRecord: UnsafeBufferPointer<MIDIEvent> {
    @_noLocks get { UnsafeBufferPointer(start: recorded, count: recordedCount) }
  }
}
