package import RenderCore

/// Merges what is played from outside into the cycles of whoever renders a port.
///
/// Realtime: yes. Threads: the one that renders. Made and freed by a ``LiveListener``.
package struct LiveEventMerger: @unchecked Sendable, BitwiseCopyable {
  private var reader: InputReader
  package private(set) var clock: InputClock
  let merger: SourceMerger
  private var merged: MergedEvents
  /// What was played from outside in this cycle, with the source of each.
  let played: UnsafeMutablePointer<MIDIEvent>
  let sources: UnsafeMutablePointer<UInt8>
  private var playedCount = 0
  let bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  /// Where the cycle begins, counting all frames.
  private var frame: Int64 = 0

  private let room: EventCapacity
  /// The most that come from outside.
  static var ownEvents: Int { @_noLocks get { InputSlot.capacity } }
  static var ownBytes: Int { InputFIFO.longestSysEx }

  init(reader: InputReader, sampleRate: Int, room: EventCapacity) {
    self.reader = reader
    self.room = room
    clock = InputClock(sampleRate: sampleRate)
    merger = SourceMerger(sampleRate: sampleRate)
    merged = MergedEvents(capacity: room.events + Self.ownEvents)
    played = .allocate(capacity: Self.ownEvents)
    sources = .allocate(capacity: Self.ownEvents)
    bytes = .allocate(capacity: room.bytes + Self.ownBytes)
  }

  func destroy() {
    merger.destroy()
    merged.destroy()
    played.deallocate()
    sources.deallocate()
    bytes.deallocate()
  }

  /// What was played from outside in the cycle merged last, for a host to record; its System Exclusive
  /// messages are in that cycle's bytes.
  package var thru: UnsafeBufferPointer<MIDIEvent> {
    @_noLocks get { merged.toRecord }
  }

  /// Adds to a cycle what belongs to it.
  ///
  /// - Parameter now: What CLOCK_MONOTONIC says.
  /// - Returns: A cycle whose memory lasts until the next.
  @_noLocks package mutating func merge(into cycle: RenderCycle, now: Int64) -> MIDICycle {
    let frames = cycle.frames
    clock.beginCycle(
      position: cycle.position, frames: frames, heardAt: cycle.hostTime, now: now)
    take(frames: frames, now: now, after: min(cycle.midi.sysEx.count, room.bytes))
    merged.clear()
    let result = playedCount == 0 && cycle.events.isEmpty ? cycle.midi : merge(cycle.midi)
    frame &+= Int64(frames)
    return result
  }

  /// Takes what is due from the FIFO.
  ///
  /// - Parameter start: Where in `bytes` there is room.
  @_noLocks private mutating func take(frames: Int, now: Int64, after start: Int) {
    playedCount = 0
    byteCount = start
    var earliest = 0
    while let slot = reader.first, playedCount < Self.ownEvents {
      let offset = clock.offset(of: slot.time, now: now)
      if offset >= frames { break }
      earliest = max(earliest, offset)
      if let content = content(of: slot) {
        played[playedCount] = MIDIEvent(offset: UInt32(earliest), content: content)
        sources[playedCount] = slot.source
        playedCount += 1
      }
      reader.removeFirst()
    }
  }

  @_noLocks private mutating func content(of slot: InputSlot) -> MIDIEvent.Content? {
    let (status, data1, data2) = slot.bytes
    if status == 0xF0 {
      let start = byteCount
      reader.copySysEx(Int(slot.count), to: bytes + start)
      byteCount += Int(slot.count)
      return .sysEx(start: UInt32(start), count: UInt32(slot.count))
    }
    if let message = ChannelMessage(status: status, data1: data1, data2: data2) {
      return .channel(message)
    }
    if let message = SystemMessage(status: status, data1: data1, data2: data2) {
      return .system(message)
    }
    return nil
  }

  /// Both lists in the order of their offsets, the host's first where they are the same.
  @_noLocks private mutating func merge(_ host: MIDICycle) -> MIDICycle {
    let hostCount = min(host.events.count, room.events)
    let hasOwn = playedCount > 0
    // What is the host's alone stays where it is.
    if hasOwn, let source = host.sysEx.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(
        from: source, byteCount: min(host.sysEx.count, room.bytes))
    }
    let sysEx =
      hasOwn ? UnsafeBufferPointer(start: UnsafePointer(bytes), count: byteCount) : host.sysEx
    var (next, own) = (0, 0)
    while next < hostCount || own < playedCount {
      let isHost =
        next < hostCount
        && (own == playedCount || host.events[next].offset <= played[own].offset)
      take(isHost ? host.events[next] : played[own], from: isHost ? 0 : sources[own], sysEx)
      if isHost { next += 1 } else { own += 1 }
    }
    return MIDICycle(frames: host.frames, events: merged.toPlay, sysEx: sysEx)
  }

  @_noLocks private mutating func take(
    _ event: MIDIEvent, from source: UInt8, _ sysEx: UnsafeBufferPointer<UInt8>
  ) {
    merged.begin(at: event.offset, isOfHost: source == 0)
    switch event.content {
    case .channel(let message):
      merger.take(
        message, from: source, related: reader.related(to: source),
        at: frame &+ Int64(event.offset), into: &merged)
    case .sysEx(let start, let count):
      let (start, count) = (Int(start), Int(count))
      if start >= 0, count >= 0, start + count <= sysEx.count, let base = sysEx.baseAddress {
        merger.take(sysEx: UnsafeBufferPointer(start: base + start, count: count), from: source)
      }
      merged.append(event.content, .everywhere)
    case .system: merged.append(event.content, .everywhere)
    }
  }
}

/// The most that a host has in one cycle: what is beyond is left out.
package struct EventCapacity: BitwiseCopyable, Sendable {
  let events: Int
  /// Of System Exclusive messages.
  let bytes: Int

  package init(events: Int, bytes: Int) {
    self.events = events
    self.bytes = bytes
  }

  /// Where there is no host.
  package static var none: Self { Self(events: 0, bytes: 0) }
}
