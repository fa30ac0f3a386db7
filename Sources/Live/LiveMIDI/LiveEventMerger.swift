package import RenderCore

/// Merges live events into the cycles of a port's render thread.
///
/// Realtime: yes. Threads: the render thread. ``LiveInputConsumer`` owns it.
package struct LiveEventMerger: @unchecked Sendable, BitwiseCopyable {
  private let reader: EventFIFO.Reader
  private let relations: SourceRelations
  private let keys: KeyActivity
  package private(set) var clock: InputClock
  private let merger: SourceMerger
  private var merged: MergedEvents
  /// The live events of this cycle.
  private let live: UnsafeMutablePointer<MIDIEvent>
  /// The source of each live event, or the source that has ended with the bit ``end``.
  private let sources: UnsafeMutablePointer<UInt8>
  private var liveCount = 0
  /// The events of this cycle for the sounds of zones, which are merged already.
  private let zoned: UnsafeMutablePointer<MIDIEvent>
  /// The sound of each of these events.
  private let sounds: UnsafeMutablePointer<UInt8>
  private var zonedCount = 0
  /// The number of events for which there is memory: 0 for a host, which plays no zones.
  private let zonedCapacity: Int
  private static var end: UInt8 { @_noLocks get { 0x80 } }
  /// The events of one sound.
  private let selected: UnsafeMutablePointer<MIDIEvent>
  /// The System Exclusive bytes of the host's events, then of the live events.
  private let bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  /// The number of frames before the cycle.
  private var frame: Int64 = 0

  private let hostCapacity: EventCapacity

  /// - Parameter playsZones: Whether the FIFO may have events for the sounds of zones. Others are dropped.
  init(
    _ fifo: InputFIFO, sampleRate: Int, hostCapacity: EventCapacity, playsZones: Bool = false,
    in memory: RenderMemory
  ) {
    reader = fifo.reader
    relations = fifo.relations
    keys = fifo.keys
    self.hostCapacity = hostCapacity
    clock = InputClock(sampleRate: sampleRate)
    merger = SourceMerger(sampleRate: sampleRate, in: memory)
    merged = MergedEvents(capacity: hostCapacity.events + reader.capacity, in: memory)
    live = memory.reserve(reader.capacity)
    sources = memory.reserve(reader.capacity)
    zonedCapacity = playsZones ? reader.capacity : 0
    zoned = memory.reserve(zonedCapacity)
    sounds = memory.reserve(zonedCapacity)
    selected = memory.reserve(zonedCapacity)
    bytes = memory.reserve(hostCapacity.bytes + reader.longestSysEx)
  }

  /// The live events of the last merged cycle, for the host to record. Their System Exclusive bytes are in
  /// ``MIDICycle/sysEx`` of that cycle.
  package var thru: UnsafeBufferPointer<MIDIEvent> {
    @_noLocks get { merged.toRecord }
  }

  /// Merges the live events of a cycle into it.
  ///
  /// - Parameters:
  ///   - cycle: A cycle with the events of the host.
  ///   - now: The current time of CLOCK_MONOTONIC in nanoseconds.
  /// - Returns: A cycle whose memory is valid until the next call.
  @_noLocks package mutating func merge(into cycle: RenderCycle, now: Int64) -> MIDICycle {
    let frames = cycle.frames
    clock.beginCycle(
      position: cycle.position, frames: frames, heardAt: cycle.hostTime, now: now)
    dequeue(frames: frames, now: now, after: min(cycle.midi.sysEx.count, hostCapacity.bytes))
    merged.clear()
    let isUnchanged = liveCount == 0 && cycle.events.isEmpty && !cycle.hasSourceEnded
    let result = isUnchanged ? cycle.midi : merge(cycle.midi, hasEnded: cycle.hasSourceEnded)
    frame &+= Int64(frames)
    for event in result.events {
      switch event.content {
      case .channel(let message): keys.follow(message)
      case .sysEx(let start, let count):
        if let bytes = Self.bytes(result.sysEx, start, count) { keys.follow(sysEx: bytes) }
      case .system: break
      }
    }
    return result
  }

  /// Returns the bytes of a System Exclusive message; `nil` if they are not all there.
  @_noLocks private static func bytes(
    _ all: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
  ) -> UnsafeBufferPointer<UInt8>? {
    guard Int(start) + Int(count) <= all.count, let base = all.baseAddress else { return nil }
    return UnsafeBufferPointer(start: base + Int(start), count: Int(count))
  }

  /// Returns the events of the last merged cycle for the sound of a zone, in memory that is valid until the next call.
  ///
  /// - Parameter sound: 1…255.
  @_noLocks package func events(for sound: UInt8, frames: Int) -> MIDICycle {
    if zonedCount == 0 { return MIDICycle(frames: frames) }
    var count = 0
    for index in 0..<zonedCount where sounds[index] == sound {
      selected[count] = zoned[index]
      count += 1
    }
    return MIDICycle(
      frames: frames, events: UnsafeBufferPointer(start: selected, count: count),
      sysEx: UnsafeBufferPointer(start: UnsafePointer(bytes), count: byteCount))
  }

  /// Removes the events of this cycle from the FIFO.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - now: The current time of CLOCK_MONOTONIC in nanoseconds.
  ///   - start: The index in ``bytes`` after the host's bytes.
  @_noLocks private mutating func dequeue(frames: Int, now: Int64, after start: Int) {
    liveCount = 0
    zonedCount = 0
    byteCount = start
    var earliest = 0
    while let event = reader.first, liveCount + zonedCount < reader.capacity {
      let offset = clock.offset(of: event.time, now: now)
      if offset >= frames { break }
      earliest = max(earliest, offset)
      var content = event.content
      if case .sysEx(_, let count) = content {
        // The writer may have used the room of the events that were just removed.
        if byteCount + Int(count) > start + reader.longestSysEx { break }
        content = .sysEx(start: UInt32(byteCount), count: count)
        reader.copySysEx(Int(count), to: bytes + byteCount)
        byteCount += Int(count)
      }
      let sound = UInt8(truncatingIfNeeded: event.number >> 8)
      if sound == 0 {
        live[liveCount] = MIDIEvent(offset: UInt32(earliest), content: content)
        let hasEnded = event.number & EventFIFO.Event.end != 0
        sources[liveCount] = UInt8(event.number & 0x3F) | (hasEnded ? Self.end : 0)
        liveCount += 1
      } else if zonedCount < zonedCapacity {
        switch content {
        case .channel(let message): keys.follow(message, of: sound)
        case .sysEx(let start, let count):
          keys.follow(sysEx: UnsafeBufferPointer(start: bytes + Int(start), count: Int(count)))
        case .system: break
        }
        zoned[zonedCount] = MIDIEvent(offset: UInt32(earliest), content: content)
        sounds[zonedCount] = sound
        zonedCount += 1
      }
      reader.removeFirst()
    }
  }

  /// Merges both lists in the order of their offsets; at equal offsets the host's events come first.
  ///
  /// - Parameter hasEnded: Whether the host that sent the earlier events has ended.
  @_noLocks private mutating func merge(_ host: MIDICycle, hasEnded: Bool) -> MIDICycle {
    if hasEnded {
      merged.begin(at: 0, isOfHost: true)
      merger.end(0, into: &merged)
    }
    let hostCount = min(host.events.count, hostCapacity.events)
    let hasLive = liveCount > 0
    // Without live events, the host's bytes need not be copied.
    if hasLive, let source = host.sysEx.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(
        from: source, byteCount: min(host.sysEx.count, hostCapacity.bytes))
    }
    let sysEx =
      hasLive ? UnsafeBufferPointer(start: UnsafePointer(bytes), count: byteCount) : host.sysEx
    var (nextHost, nextLive) = (0, 0)
    while nextHost < hostCount || nextLive < liveCount {
      let isHost =
        nextHost < hostCount
        && (nextLive == liveCount || host.events[nextHost].offset <= live[nextLive].offset)
      if isHost {
        add(host.events[nextHost], from: 0, sysEx)
        nextHost += 1
      } else {
        add(live[nextLive], from: sources[nextLive], sysEx)
        nextLive += 1
      }
    }
    return MIDICycle(frames: host.frames, events: merged.toPlay, sysEx: sysEx)
  }

  @_noLocks private mutating func add(
    _ event: MIDIEvent, from source: UInt8, _ sysEx: UnsafeBufferPointer<UInt8>
  ) {
    merged.begin(at: event.offset, isOfHost: source == 0)
    if source & Self.end != 0 { return merger.end(source & ~Self.end, into: &merged) }
    switch event.content {
    case .channel(let message):
      merger.merge(
        message, from: source, related: relations[source],
        at: frame &+ Int64(event.offset), into: &merged)
    case .sysEx(let start, let count):
      if let bytes = Self.bytes(sysEx, start, count) { merger.follow(sysEx: bytes, from: source) }
      merged.append(event.content, .everywhere)
    case .system: merged.append(event.content, .everywhere)
    }
  }
}
