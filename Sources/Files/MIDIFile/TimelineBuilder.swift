import RenderCore

extension StandardMIDIFile {
  /// Calculates the frame of every message.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second, 8 000…192 000.
  ///   - speed: How fast the song is played; its ticks stay the same.
  /// - Throws: ``TimelineError/sampleRateOutOfRange(_:)`` for another rate, and
  ///   ``TimelineError/tooLong(track:)`` if an event is later than ``Timeline/maximumFrame``.
  /// - Complexity: O(*n* log *t*) for *n* events in *t* tracks.
  public func timeline(
    sampleRate: Int, speed: SongSpeed = .asWritten
  ) throws(TimelineError) -> Timeline {
    guard 8_000...192_000 ~= sampleRate else { throw .sampleRateOutOfRange(sampleRate) }
    // Checked before anything is copied. Escapes may contain SysEx, too.
    let sysExCount = tracks.reduce(0) { $1.events.reduce($0) { $0 + $1.content.sentCount } }
    guard sysExCount <= UInt32.max else { throw .tooMuchSysEx }
    var builder = try TimelineBuilder(self, sampleRate: sampleRate, speed)
    if format == .sequential {
      for index in tracks.indices { try builder.append(tracks[index...index]) }
    } else {
      try builder.append(tracks[...])
    }
    var timeline = builder.finish()
    if let score {
      timeline.follow(try score.song.timeline(sampleRate: sampleRate, speed: speed))
    }
    return timeline
  }
}

extension Timeline {
  /// Takes the tempos, time signatures, key signatures, texts and names of tracks from another song.
  fileprivate mutating func follow(_ score: Timeline) {
    (tempoMap, barLines) = (score.tempoMap, score.barLines)
    (texts, keys) = (score.texts, score.keys)
    for index in tracks.indices.prefix(score.tracks.count) {
      tracks[index].name = score.tracks[index].name
    }
  }
}

private struct TimelineBuilder {
  private var timeline: Timeline
  private var order: TickOrder
  private let ports: SongPorts
  private let encoding: TextEncoding
  private var ignored: [Timeline.Ignored.Kind: Timeline.Ignored] = [:]
  private var wrongChecksums = RepeatedFault()
  /// The present port of each track.
  private var trackPorts: [UInt8]
  /// The ports without a reset that have had no notes.
  private var unsetPorts: Set<UInt8> = []
  /// The tick of the timeline at which the next sequence starts.
  private var origin: Int64 = 0
  /// The last tick and its frame, because the notes of a chord share one tick.
  private var current: (tick: Int64, frame: Int64) = (0, 0)

  init(
    _ file: StandardMIDIFile, sampleRate: Int, _ speed: SongSpeed
  ) throws(TimelineError) {
    encoding = TextEncoding(of: file.tracks)
    ports = try SongPorts(file.tracks, encoding)
    trackPorts = ports.first
    unsetPorts = ports.withoutReset
    timeline = Timeline(
      sampleRate: sampleRate,
      tempoMap: TempoMap(division: file.division, sampleRate: sampleRate, speed: speed))
    if case .ticksPerQuarter(let ticks) = file.division {
      timeline.barLines = BarLines(ticksPerQuarter: ticks)
    }
    timeline.ports = ports.list
    timeline.tracks = file.tracks.map { _ in Timeline.Track() }
    order = TickOrder(tracks: file.tracks.count)
    timeline.events.reserveCapacity(file.tracks.reduce(0) { $0 + $1.events.count })
  }

  /// Adds a sequence of simultaneous tracks.
  mutating func append(
    _ tracks: ArraySlice<StandardMIDIFile.Track>
  ) throws(TimelineError) {
    timeline.tempoMap.setTempo(TempoMap.defaultTempo, at: origin)
    timeline.barLines?.setSignature(.common, at: origin)
    var merge = TrackMerge(tracks)
    var (tick, first) = (Int64(0), timeline.events.count)
    while let (track, event) = merge.next() {
      if event.tick != tick {
        order.order(&timeline.events, from: first, at: tick, sysEx: timeline.sysEx)
        (tick, first) = (event.tick, timeline.events.count)
      }
      try look(up: event.tick, track)
      switch event.content {
      case .channel(let message): append(message, track)
      case .sysEx(let bytes): append(sysEx: bytes[...], track)
      case .escape(let bytes): append(escaped: bytes, track)
      case .meta(let meta): append(meta, track)
      }
    }
    order.order(&timeline.events, from: first, at: tick, sysEx: timeline.sysEx)
    for index in tracks.indices {
      try look(up: tracks[index].endTick, index)
      timeline.tracks[index].endFrame = current.frame
    }
    let length = tracks.reduce(0) { max($0, $1.endTick) }
    try look(up: length, tracks.startIndex)
    origin += length
    timeline.endFrame = current.frame
    timeline.seconds = timeline.tempoMap.seconds(ofTick: origin)
  }

  /// Returns the timeline, after the last sequence.
  consuming func finish() -> Timeline {
    timeline.repairs =
      order.repairs + wrongChecksums.repair { .sysExChecksum(count: $0) }
    timeline.ignored = ignored.values.sorted {
      ($0.frame, $0.track, $0.kind.description) < ($1.frame, $1.track, $1.kind.description)
    }
    return timeline
  }

  /// Sets ``current`` to a tick of the sequence.
  private mutating func look(up tick: Int64, _ track: Int) throws(TimelineError) {
    let (tick, overflow) = origin.addingReportingOverflow(tick)
    guard !overflow else { throw .tooLong(track: track) }
    guard tick != current.tick else { return }
    current = (tick, timeline.tempoMap.frame(ofTick: tick))
    guard current.frame <= Timeline.maximumFrame else { throw .tooLong(track: track) }
  }

  private mutating func append(_ message: ChannelMessage, _ track: Int) {
    if message.startsNote {
      timeline.tracks[track].noteCount += 1
      if !unsetPorts.isEmpty { unsetPorts.remove(trackPorts[track]) }
    }
    timeline.tracks[track].channels |= 1 << UInt16(message.channel)
    append(.channel(message), track)
  }

  private mutating func append(sysEx bytes: ArraySlice<UInt8>, _ track: Int) {
    let start = UInt32(timeline.sysEx.count)
    timeline.sysEx += bytes
    let hasWrongChecksum = bytes.withUnsafeBufferPointer { SystemExclusive($0).hasWrongChecksum }
    if hasWrongChecksum { wrongChecksums.add(.tick(current.tick - origin, track: track)) }
    let message = Timeline.Message.sysEx(.init(start: start, count: UInt32(bytes.count)))
    append(message, track)
    guard !unsetPorts.isEmpty, bytes.withUnsafeBufferPointer({ SystemExclusive.resets($0) }) else {
      return
    }
    for port in unsetPorts.sorted() where port != trackPorts[track] {
      append(message, track, port: port)
    }
  }

  /// Adds the messages of an escape event that a renderer can use.
  private mutating func append(escaped bytes: [UInt8], _ track: Int) {
    var stream = EscapedStream(bytes)
    let count = timeline.events.count
    defer { if timeline.events.count == count { ignore(.escape, track) } }
    while let message = stream.next() {
      switch message {
      case .channel(let message): append(message, track)
      case .sysEx(let range): append(sysEx: bytes[range], track)
      }
    }
  }

  private mutating func append(_ message: Timeline.Message, _ track: Int, port: UInt8? = nil) {
    timeline.events.append(
      Timeline.Event(
        frame: current.frame, track: Int32(track), port: port ?? trackPorts[track], message))
  }

  private mutating func append(_ meta: MetaEvent, _ track: Int) {
    if let port = ports.port(meta, track: track) { trackPorts[track] = port }
    if let port = ports.unused(meta, track: track) { ignore(.port(port), track) }
    if let tempo = meta.tempo {
      timeline.tempoMap.setTempo(tempo, at: current.tick)
      if timeline.barLines == nil { ignore(.tempo, track) }
    } else if let signature = meta.timeSignature {
      timeline.barLines?.setSignature(signature, at: current.tick)
    } else if let key = meta.keySignature {
      let key = SongKey(
        frame: current.frame, sharps: Int(key.sharps), isMinor: key.isMinor)
      // Each track of a file may repeat it.
      if timeline.keys.last?.isSame(as: key) != true { timeline.keys.append(key) }
    } else if let kind = meta.textKind, let text = meta.text(in: encoding) {
      timeline.texts.append(
        Timeline.Text(frame: current.frame, track: Int32(track), kind: kind, text: text))
      if kind == .trackName, timeline.tracks[track].name == nil {
        timeline.tracks[track].name = text
      }
    } else if meta.asks {
      ignore(.meta(meta.type), track)
    }
  }

  private mutating func ignore(_ kind: Timeline.Ignored.Kind, _ track: Int) {
    ignored[
      kind,
      default: .init(kind: kind, count: 0, frame: current.frame, track: Int32(track))
    ].count += 1
  }
}

extension StandardMIDIFile.Content {
  /// The number of SysEx or escape bytes.
  fileprivate var sentCount: Int {
    switch self {
    case .sysEx(let bytes), .escape(let bytes): bytes.count
    case .channel, .meta: 0
    }
  }
}

/// Merges the events of several tracks: sorted by tick, then by track, then in file order.
struct TrackMerge {
  private struct Head {
    var tick: Int64
    var track: Int

    func isBefore(_ other: Head) -> Bool {
      tick != other.tick ? tick < other.tick : track < other.track
    }
  }

  private let tracks: ArraySlice<StandardMIDIFile.Track>
  /// The index of each track's next event.
  private var nextIndex: [Int]
  /// A heap of the tracks with remaining events: no head is before its parent, which is at half its index.
  private var heads: [Head] = []

  init(_ tracks: ArraySlice<StandardMIDIFile.Track>) {
    self.tracks = tracks
    nextIndex = Array(repeating: 0, count: tracks.count)
    for (index, track) in zip(tracks.indices, tracks) {
      if let first = track.events.first { heads.append(Head(tick: first.tick, track: index)) }
    }
    for index in stride(from: heads.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  /// Returns the next event and its track; `nil` at the end.
  mutating func next() -> (track: Int, event: StandardMIDIFile.Event)? {
    guard let head = heads.first else { return nil }
    let slot = head.track - tracks.startIndex
    let index = nextIndex[slot]
    let event = tracks[head.track].events[index]
    nextIndex[slot] = index + 1
    if index + 1 < tracks[head.track].events.count {
      heads[0].tick = tracks[head.track].events[index + 1].tick
    } else {
      let last = heads.removeLast()
      if heads.isEmpty { return (head.track, event) }
      heads[0] = last
    }
    sink(from: 0)
    return (head.track, event)
  }

  private mutating func sink(from start: Int) {
    var parent = start
    let head = heads[parent]
    while true {
      var child = 2 * parent + 1
      guard child < heads.count else { break }
      if child + 1 < heads.count, heads[child + 1].isBefore(heads[child]) { child += 1 }
      guard heads[child].isBefore(head) else { break }
      heads[parent] = heads[child]
      parent = child
    }
    heads[parent] = head
  }
}
