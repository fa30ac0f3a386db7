package import MIDIFile
package import RenderCore

/// Hands out what a song plays in the stretches of a cycle, wherever it jumps.
///
/// Where the song stops, or does not go on from where it was, what it has sounding is let go of first. Where it
/// enters, the instrument is then set as if the song had been played up to there: programs, controllers, bends
/// and registered parameters, as far as they differ from what it is set to. System Exclusive is not repeated,
/// and only its resets are counted with; notes that were begun before the entry stay silent.
///
/// Realtime: no; collecting does not allocate once it has seen its busiest cycle. Threads: one at a time.
package struct SongCursor {
  private let timeline: Timeline
  /// The sound before every ``spacing``th event.
  private let sounds: [InstrumentChase]
  /// The next event, if the song goes on.
  private var next = 0
  private var held = HeldNotes()
  /// What the instrument was made.
  private var sound = InstrumentChase()
  private var events: [MIDIEvent] = []

  private static let spacing = 1024

  /// - Complexity: O(*n*) for *n* events, of which each 1024 take some kilobytes.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
    var (sound, sounds) = (InstrumentChase(), [InstrumentChase]())
    for (index, event) in timeline.events.enumerated() {
      if index % Self.spacing == 0 { sounds.append(sound) }
      Self.follow(event, of: timeline, &sound)
    }
    self.sounds = sounds
  }

  /// Keys of the song that are down.
  package var heldNotes: Int { held.count }

  /// Collects what is played in a cycle and hands it to `body`, in order of offsets.
  ///
  /// - Parameters:
  ///   - frames: Of the cycle.
  ///   - stretches: Those of the cycle, and of every cycle since the last.
  package mutating func withCycle<Failure: Error>(
    _ frames: Int, _ stretches: [SongSegment], _ body: (MIDICycle) throws(Failure) -> Void
  ) throws(Failure) {
    events.removeAll(keepingCapacity: true)
    for stretch in stretches { collect(stretch) }
    let result: Result<Void, Failure> = events.withUnsafeBufferPointer { events in
      timeline.sysEx.withUnsafeBufferPointer { sysEx in
        Result { () throws(Failure) in
          try body(MIDICycle(frames: frames, events: events, sysEx: sysEx))
        }
      }
    }
    try result.get()
  }

  /// What makes of a fresh instrument what the song has set so far.
  var settings: [ChannelMessage] {
    var messages: [ChannelMessage] = []
    sound.difference(from: InstrumentChase()) { messages.append($0) }
    return messages
  }

  private mutating func collect(_ stretch: SongSegment) {
    if hasEnded(at: stretch) {
      // Notes on the song's last tick are played, too.
      play(stretch, until: stretch.end + 1)
    }
    if stretch.isEntry || !stretch.isPlaying { release(at: stretch.offset) }
    guard stretch.isPlaying else { return }
    if stretch.isEntry { enter(at: stretch) }
    play(stretch, until: stretch.end)
  }

  /// Whether the song was played up to its end and stands there, with events of that frame to come.
  private func hasEnded(at stretch: SongSegment) -> Bool {
    guard !stretch.isPlaying, !stretch.isEntry, stretch.begin == timeline.endFrame,
      next < timeline.events.count
    else { return false }
    return timeline.events[next].frame == timeline.endFrame
  }

  private mutating func play(_ stretch: SongSegment, until end: Int64) {
    while next < timeline.events.count, timeline.events[next].frame < end {
      let event = timeline.events[next]
      next += 1
      Self.follow(event, of: timeline, &sound)
      let offset = stretch.offset + Int(event.frame - stretch.begin)
      switch event.message {
      case .channel(let message):
        held.follow(message)
        append(.channel(message), at: offset)
      case .sysEx(let range):
        timeline.sysEx.withUnsafeBufferPointer {
          held.follow(sysEx: UnsafeBufferPointer(rebasing: $0[range.indices]))
        }
        append(.sysEx(start: range.start, count: range.count), at: offset)
      }
    }
  }

  private mutating func release(at offset: Int) {
    while let message = held.popRelease() {
      sound.follow(message)
      append(.channel(message), at: offset)
    }
  }

  private mutating func enter(at stretch: SongSegment) {
    next = firstEvent(atOrAfter: stretch.begin)
    let wanted = sound(before: next)
    let before = sound
    wanted.difference(from: before) {
      sound.follow($0)
      held.follow($0)
      append(.channel($0), at: stretch.offset)
    }
  }

  private mutating func append(_ content: MIDIEvent.Content, at offset: Int) {
    events.append(MIDIEvent(offset: UInt32(offset), content: content))
  }

  private func firstEvent(atOrAfter frame: Int64) -> Int {
    var (low, high) = (0, timeline.events.count)
    while low < high {
      let middle = (low + high) / 2
      if timeline.events[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func sound(before index: Int) -> InstrumentChase {
    guard !sounds.isEmpty else { return InstrumentChase() }
    let start = min(index / Self.spacing, sounds.count - 1)
    var sound = sounds[start]
    for event in timeline.events[start * Self.spacing..<index] {
      Self.follow(event, of: timeline, &sound)
    }
    return sound
  }

  private static func follow(
    _ event: Timeline.Event, of timeline: Timeline, _ sound: inout InstrumentChase
  ) {
    switch event.message {
    case .channel(let message): sound.follow(message)
    case .sysEx(let range):
      timeline.sysEx.withUnsafeBufferPointer {
        sound.follow(sysEx: UnsafeBufferPointer(rebasing: $0[range.indices]))
      }
    }
  }
}
