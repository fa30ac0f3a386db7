import RenderCore

/// Orders the messages of each tick of a sequence where their order in the file cannot be meant.
///
/// - A note-off of a note that began at an earlier tick precedes the note-ons of its key.
/// - Settings of a channel precede the notes that other tracks begin on it: programs, controllers, bends, pressure and
///   SysEx, as far as their own track has them before its notes. A reset also precedes other tracks' settings.
///
/// All else keeps its place: the order in a track, the order of tracks, notes that begin and end at the same tick, and
/// note-offs of other keys, which decide in mono modes whether a note is legato.
///
/// Source: RP-001, which orders the events of a track, and gives no order between tracks.
struct TickOrder {
  /// For each track, the notes of each channel and key; empty for a track without notes.
  private var notes: [[KeyNotes]]
  /// The tracks and keys with notes that began at the present tick.
  private var begun: [(track: Int, key: Int)] = []
  private var noteOffs = RepeatedFault()
  private var settings = RepeatedFault()

  private struct KeyNotes {
    /// Notes that began at earlier ticks.
    var earlier: UInt32 = 0
    /// Notes that began at this tick.
    var begun: UInt32 = 0
  }

  init(tracks: Int) { notes = Array(repeating: [], count: tracks) }

  /// The repairs: a count of the moved events of each kind.
  var repairs: [Repair] {
    noteOffs.repair { .noteOffAfterNoteOn(count: $0) }
      + settings.repair { .settingAfterNote(count: $0) }
  }

  /// Orders the events of a tick: those from an index on, track by track.
  ///
  /// - Parameters:
  ///   - tick: The tick in its sequence.
  ///   - sysEx: The bytes of all SysEx messages.
  /// - Complexity: O(*n* log *n*) for *n* events, and O(*n*) if none is moved.
  mutating func order(
    _ events: inout [Timeline.Event], from start: Int, at tick: Int64, sysEx: [UInt8]
  ) {
    let present = events[start...]
    var places = Self.mayNeedOrder(present) ? Places(present, sysEx) : nil
    for (index, event) in present.enumerated() {
      let endsEarlierNote = follow(event)
      places?.add(event, index, endsEarlierNote: endsEarlierNote)
    }
    for (track, key) in begun {
      notes[track][key].earlier += notes[track][key].begun
      notes[track][key].begun = 0
    }
    begun.removeAll(keepingCapacity: true)
    guard let places, !places.moved.isEmpty else { return }
    for index in places.moved.sorted() {
      let event = present[start + index]
      let place = Repair.Place.tick(tick, track: Int(event.track))
      if event.endsNote { noteOffs.add(place) } else { settings.add(place) }
    }
    events.replaceSubrange(start..., with: places.order.map { present[start + $0] })
  }

  /// Updates the notes that a track holds.
  ///
  /// - Returns: Whether the event ends a note that began at an earlier tick.
  private mutating func follow(_ event: Timeline.Event) -> Bool {
    guard case .channel(let message) = event.message else { return false }
    let (track, key) = (Int(event.track), Int(message.channel) << 7 | Int(message.data1))
    if message.startsNote {
      if notes[track].isEmpty { notes[track] = Array(repeating: KeyNotes(), count: 16 << 7) }
      notes[track][key].begun += 1
      begun.append((track, key))
    } else if message.endsNote, !notes[track].isEmpty {
      if notes[track][key].earlier > 0 {
        notes[track][key].earlier -= 1
        return true
      }
      if notes[track][key].begun > 0 { notes[track][key].begun -= 1 }
    }
    return false
  }

  /// Whether anything but a note-on follows a note-on, or a SysEx message another track's.
  private static func mayNeedOrder(_ events: ArraySlice<Timeline.Event>) -> Bool {
    guard let first = events.first else { return false }
    var follows = false
    for event in events {
      guard case .channel(let message) = event.message else {
        if follows || event.track != first.track { return true }
        continue
      }
      if message.startsNote { follows = true } else if follows { return true }
    }
    return false
  }
}

/// The places of the events of one tick. Indices count from the first event of the tick.
private struct Places {
  /// For each event, twice the index of the event that it precedes, or an odd number in its own place.
  private var places: [Int] = []
  private let events: ArraySlice<Timeline.Event>
  private let sysEx: [UInt8]
  /// The events that were moved.
  private(set) var moved: Set<Int> = []
  /// The first note-on of each port, channel and key; see ``code(_:_:_:)``.
  private var firstNotes: [Int: Int] = [:]
  /// For each port, the first event after its last reset.
  private var firstSettings: [Int: Int] = [:]
  private var track: TrackPart

  /// The events so far of the track of the last event.
  private struct TrackPart {
    let number: Int32
    let start: Int
    /// A bit for each channel with a note-on.
    var noted: UInt16 = 0
    var hasChannelMessage = false
    /// For each channel, and for all together, the first event that settings after it have not yet taken with them.
    var taken: [Int]

    init(_ number: Int32, start: Int) {
      (self.number, self.start) = (number, start)
      taken = Array(repeating: start, count: 17)
    }
  }

  init(_ events: ArraySlice<Timeline.Event>, _ sysEx: [UInt8]) {
    (self.events, self.sysEx) = (events, sysEx)
    track = TrackPart(events.first?.track ?? 0, start: 0)
  }

  /// The indices of the events in their order.
  var order: [Int] { places.indices.sorted { (places[$0], $0) < (places[$1], $1) } }

  mutating func add(_ event: Timeline.Event, _ index: Int, endsEarlierNote: Bool) {
    if event.track != track.number { track = TrackPart(event.track, start: index) }
    places.append(2 * index + 1)
    let port = Int(event.port)
    switch event.message {
    case .channel(let message):
      let channel = Int(message.channel)
      if message.startsNote {
        for code in [
          Self.code(port, channel, message.data1), Self.code(port, channel), Self.code(port),
        ] where firstNotes[code] == nil { firstNotes[code] = index }
        track.noted |= 1 << UInt16(channel)
      } else if message.endsNote {
        let first = firstNotes[Self.code(port, channel, message.data1)]
        if endsEarlierNote, let first { move(index, before: first) }
      } else if message.kind != .keyPressure, track.noted >> UInt16(channel) & 1 == 0,
        let first = firstNotes[Self.code(port, channel)]
      {
        moveTrack(upTo: index, before: first, channel: channel)
      }
      track.hasChannelMessage = true
    case .sysEx(let range):
      let resets = sysEx[range.indices].withUnsafeBufferPointer { SystemExclusive.resets($0) }
      var first = track.noted == 0 ? firstNotes[Self.code(port)] : nil
      if resets, !track.hasChannelMessage { first = firstSettings[port] }
      if let first, first < track.start { moveTrack(upTo: index, before: first, channel: nil) }
      if resets {
        firstSettings[port] = nil
        return
      }
    }
    if firstSettings[port] == nil { firstSettings[port] = index }
  }

  /// The key of ``firstNotes`` for a key, all keys of a channel, or all channels of a port.
  private static func code(_ port: Int, _ channel: Int = 16, _ key: UInt8 = 128) -> Int {
    (port << 5 | channel) << 8 | Int(key)
  }

  /// Moves an event of the present track, and those of its channel before it.
  private mutating func moveTrack(upTo last: Int, before index: Int, channel: Int?) {
    let begin = max(track.taken[channel ?? 16], track.taken[16])
    for other in begin...last
    where channel == nil || events[events.startIndex + other].channel == channel {
      move(other, before: index)
    }
    track.taken[channel ?? 16] = last + 1
  }

  private mutating func move(_ event: Int, before index: Int) {
    guard 2 * index < places[event] else { return }
    places[event] = 2 * index
    moved.insert(event)
  }
}

extension Timeline.Event {
  /// The channel; `nil` for SysEx.
  fileprivate var channel: Int? {
    if case .channel(let message) = message { Int(message.channel) } else { nil }
  }

  fileprivate var endsNote: Bool {
    if case .channel(let message) = message { message.endsNote } else { false }
  }
}
