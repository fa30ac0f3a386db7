import RenderCore

/// The events of a cycle of which several sources are merged: those to be played, and those of keyboards, for the
/// host to record.
///
/// Realtime: yes. Allocates when it is made; ``destroy()`` must follow.
struct MergedEvents: BitwiseCopyable {
  private let played: UnsafeMutablePointer<MIDIEvent>
  private let recorded: UnsafeMutablePointer<MIDIEvent>
  private let capacity: Int
  private var playedCount = 0
  private var recordedCount = 0
  /// Of the event that is being merged.
  private var offset: UInt32 = 0
  private var isOfHost = false

  /// - Parameter capacity: The most events of all sources in a cycle.
  init(capacity: Int) {
    // What a message adds ends or resets what another has begun or set.
    self.capacity = 2 * capacity + SourceMerger.maximumAdded
    played = .allocate(capacity: self.capacity)
    recorded = .allocate(capacity: self.capacity)
  }

  func destroy() {
    played.deallocate()
    recorded.deallocate()
  }

  /// Begins a cycle.
  @_noLocks mutating func clear() {
    playedCount = 0
    recordedCount = 0
  }

  /// Begins an event.
  @_noLocks mutating func begin(at offset: UInt32, isOfHost: Bool) {
    self.offset = offset
    self.isOfHost = isOfHost
  }

  @_noLocks mutating func append(_ content: MIDIEvent.Content, _ passage: Passage) {
    let event = MIDIEvent(offset: offset, content: content)
    if passage.isPlayed, playedCount < capacity {
      played[playedCount] = event
      playedCount += 1
    }
    if passage.isRecorded, !isOfHost, recordedCount < capacity {
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
