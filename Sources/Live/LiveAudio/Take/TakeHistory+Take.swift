import RenderCore

extension TakeHistory {
  /// Returns a part of what was played; `nil` if there is no note in it.
  ///
  /// A take of one unit, or of units that began together, counts the frames that they have rendered. Another take of
  /// several units, such as one of a device that was opened again, counts the time between them, in frames of the last
  /// device.
  func take(_ request: TakeRequest, at now: Int64) -> Take? {
    let earliest = request.seconds.map { now - Int64($0 * 1e9) } ?? .min
    var settings = settings
    var kept: [Entry] = []
    for entry in entries {
      guard let unit = units[entry.unit], request.port == nil || unit.port == request.port else {
        continue
      }
      if time(of: entry) < earliest {
        settings[entry.unit, default: TakeSettings()].follow(entry.content)
      } else {
        kept.append(entry)
      }
    }
    guard let first = kept.first, let last = kept.last, let session = session(of: last.unit) else {
      return nil
    }
    let isOneUnit = kept.allSatisfy { $0.unit == first.unit }
    let haveOneBeginning =
      isOneUnit
      || kept.allSatisfy { entry in
        entry.origin == first.origin && units[entry.unit]?.session == units[first.unit]?.session
      }
    let rate = Double(session.sampleRate)
    let begin = request.followsDevice ? session.begin : sessions.values.map(\.begin).min() ?? 0
    // Whole frames, so that events of a session keep their distances.
    func frame(_ position: Int64, _ origin: Int64, _ own: Session) -> Int64 {
      if haveOneBeginning, !request.followsDevice { return position - origin }
      let offset = Int64((Double(own.begin - begin) / 1e9 * rate).rounded())
      if own.sampleRate == session.sampleRate { return offset + position }
      return offset + Int64((Double(position) / Double(own.sampleRate) * rate).rounded())
    }
    var builders: [TakeTrackBuilder] = []
    for entry in kept {
      guard let unit = units[entry.unit], let own = sessions[unit.session] else { continue }
      let index = builders.firstIndex { $0.plays(unit) } ?? builders.count
      if index == builders.count { builders.append(TakeTrackBuilder(unit)) }
      builders[index].add(
        entry.content, of: entry.unit, at: frame(entry.frame, entry.origin, own),
        settings: settings[entry.unit],
        lastFrame: frame(own.frame(at: now), entry.origin, own))
    }
    for index in builders.indices { builders[index].end() }
    builders.removeAll { $0.firstNote == nil }
    builders.sort { ($0.firstNote ?? 0) < ($1.firstNote ?? 0) }
    guard let firstNote = builders.first?.firstNote else { return nil }
    let start = request.followsDevice || request.keepsSilence && haveOneBeginning ? 0 : firstNote
    return Take(
      sampleRate: session.sampleRate,
      tracks: builders.map { $0.track(from: start) },
      firstNote: firstNote - start,
      isWhole: haveOneBeginning && kept.allSatisfy { settings[$0.unit] == nil },
      hasLosses: kept.contains { $0.content == .loss })
  }
}

/// Collects the events of a port or of a sound of its zones, from one or more units.
private struct TakeTrackBuilder {
  /// The first unit.
  private let first: TakeHistory.Unit
  /// The frame of the first note; `nil` if there is none yet.
  private(set) var firstNote: Int64?
  private var events: [Take.Event] = []
  private var unit: UInt32?
  private var settings = TakeSettings()
  private var held = HeldNotes()
  /// Whether each key of each channel is down.
  private var keys = [Bool](repeating: false, count: 16 * 128)
  private var frame: Int64 = 0
  /// Where the notes end that the unit still holds.
  private var lastFrame: Int64 = 0

  init(_ unit: TakeHistory.Unit) { first = unit }

  /// Whether a unit has the sound of the first.
  func plays(_ unit: TakeHistory.Unit) -> Bool {
    unit.port == first.port && unit.soundName == first.soundName
      && unit.sound?.number == first.sound?.number
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - settings: The settings of the unit before the take.
  ///   - lastFrame: Where the notes end that the unit holds at the end.
  mutating func add(
    _ content: TakeHistory.Content, of unit: UInt32, at frame: Int64, settings: TakeSettings?,
    lastFrame: Int64
  ) {
    let frame = max(frame, self.frame)
    if unit != self.unit {
      if self.unit != nil {
        // The next unit begins with its own settings. Held notes ended with the device.
        release(at: min(frame, max(self.frame, self.lastFrame)))
        for message in self.settings.reset { append(message, at: frame) }
      }
      self.unit = unit
      for message in settings?.messages ?? [] { append(message, at: frame) }
    }
    self.lastFrame = lastFrame
    append(content, at: frame)
  }

  /// Releases what is held.
  mutating func end() { release(at: max(frame, lastFrame)) }

  private mutating func release(at frame: Int64) {
    while let message = held.popRelease() { append(.channel(message), at: frame) }
  }

  private mutating func append(_ content: TakeHistory.Content, at frame: Int64) {
    switch content {
    case .channel(let message):
      let key = Int(message.channel) * 128 + Int(message.data1)
      // Its note began before the take.
      if message.endsNote, !keys[key] { return }
      if message.startsNote {
        keys[key] = true
        firstNote = firstNote ?? frame
      } else if message.endsNote {
        keys[key] = false
      }
      held.follow(message)
      events.append(Take.Event(frame: frame, content: .channel(message)))
    case .sysEx(let bytes):
      bytes.withUnsafeBufferPointer { held.follow(sysEx: $0) }
      events.append(Take.Event(frame: frame, content: .sysEx(bytes)))
    case .loss:
      // A release may be among the lost events.
      return release(at: frame)
    }
    settings.follow(content)
    self.frame = frame
  }

  /// Returns the track. Events before `start` are moved there.
  func track(from start: Int64) -> Take.Track {
    Take.Track(
      port: first.port, sound: first.soundName, unit: unit ?? 0,
      panorama: first.sound?.panorama ?? Panorama(),
      events: events.map { .init(frame: max(0, $0.frame - start), content: $0.content) })
  }
}
