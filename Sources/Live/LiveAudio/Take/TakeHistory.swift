import RenderCore

/// The events that keyboards have played lately, in bounded memory. The oldest are forgotten first; the settings that
/// they made are kept.
///
/// Times are in nanoseconds of CLOCK_MONOTONIC.
struct TakeHistory: Sendable {
  /// An event of a unit.
  struct Entry {
    let unit: UInt32
    /// In the stream of the device.
    let frame: Int64
    /// The position in the stream where the unit's frame 0 is, counted in the frames that it has rendered.
    let origin: Int64
    /// `nil` where events are missing.
    let content: MIDIContent?
  }

  /// The time for which devices are open that share a sample rate.
  struct Session {
    let sampleRate: Int
    /// The time of position 0 in the streams of the devices.
    var begin: Int64
    var hasStarted = false
    /// `nil` while a device is open.
    var end: Int64?
    /// The number of open devices.
    var devices = 1
  }

  struct Unit {
    let port: String
    /// The name of the sound of zones that the unit plays; `nil`: it is the port's own unit.
    let soundName: String?
    /// The sound, from which the unit can be made again; `nil` if it is not needed.
    var sound: ZoneSound?
    let session: Int
    /// Whether takes have its events, or only recordings of a session.
    let isTaken: Bool
    /// The number of events that are kept.
    var events = 0
    /// Whether the unit does not exist any more.
    var isOver = false
    /// See ``Entry/origin``.
    var origin: Int64 = 0
    /// The position in the stream at which the unit has begun to render; `nil`: it has not.
    var begin: Int64?
  }

  /// The limits of takes. With 0 seconds, they are empty.
  var limits: TakeLimits
  /// The limits of a recording of the open session; `nil`: there is none.
  var recordingLimits: TakeLimits?
  private(set) var sessions: [Int: Session] = [:]
  private(set) var units: [UInt32: Unit] = [:]
  /// The settings of units that forgotten events have made.
  private(set) var settings: [UInt32: TakeSettings] = [:]
  private var stored: [Entry] = []
  /// The number of forgotten entries at the beginning of ``stored``.
  private var forgotten = 0
  private var bytes = 0
  /// The number of the latest session.
  private(set) var sessionCount = 0
  /// The number of events that have been added.
  private(set) var eventCount = 0
  private var unitCount: UInt32 = 0

  /// - Parameters:
  ///   - limits: What takes have.
  ///   - recordingLimits: What a recording of the open session has; `nil`: there is none.
  init(_ limits: TakeLimits, recording recordingLimits: TakeLimits? = nil) {
    self.limits = limits
    self.recordingLimits = recordingLimits
  }

  private var entries: ArraySlice<Entry> { stored[forgotten...] }

  /// Adds a device to the open session if that has its sample rate; otherwise begins a session. The device's units
  /// follow.
  ///
  /// - Returns: The number of the session.
  mutating func begin(sampleRate: Int, at now: Int64) -> Int {
    if let session = sessions[sessionCount], session.end == nil {
      if session.sampleRate == sampleRate {
        sessions[sessionCount]?.devices += 1
        return sessionCount
      }
      sessions[sessionCount]?.end = now
    }
    removeUnused()
    sessionCount += 1
    sessions[sessionCount] = Session(sampleRate: sampleRate, begin: now)
    return sessionCount
  }

  /// Notes that a device of a session starts. The stream of the first one begins.
  mutating func start(_ session: Int, at now: Int64) {
    guard sessions[session]?.hasStarted == false else { return }
    sessions[session]?.begin = now
    sessions[session]?.hasStarted = true
  }

  /// Removes a device from a session, which ends with the last one.
  mutating func end(_ session: Int, at now: Int64) {
    guard let open = sessions[session], open.end == nil else { return }
    sessions[session]?.devices -= 1
    if open.devices == 1 { sessions[session]?.end = now }
  }

  /// Returns the number of a new unit of the session.
  ///
  /// - Parameter sound: Kept as long as an event of the unit, because it keeps a SoundFont.
  mutating func addUnit(of port: String, sound: ZoneSound?, isTaken: Bool) -> UInt32 {
    unitCount += 1
    units[unitCount] = Unit(
      port: port, soundName: sound?.name, sound: sound, session: sessionCount, isTaken: isTaken)
    return unitCount
  }

  /// Notes that a unit does not exist any more.
  mutating func endUnit(_ number: UInt32) {
    units[number]?.isOver = true
    releaseSound(of: number)
  }

  private mutating func releaseSound(of number: UInt32) {
    guard let unit = units[number], unit.isOver, unit.events == 0 else { return }
    units[number]?.sound = nil
  }

  mutating func setOrigin(_ origin: Int64, of unit: UInt32) {
    units[unit]?.origin = origin
    if units[unit]?.begin == nil { units[unit]?.begin = origin }
  }

  /// The bytes of System Exclusive.
  private static func size(_ content: MIDIContent?) -> Int {
    if case .sysEx(let bytes) = content { bytes.count } else { 0 }
  }

  /// Adds an event, and forgets the oldest ones beyond the limits.
  mutating func add(_ content: MIDIContent?, of unit: UInt32, at frame: Int64) {
    guard limits.seconds > 0 || recordingLimits != nil, let origin = units[unit]?.origin else {
      return
    }
    eventCount += 1
    units[unit]?.events += 1
    stored.append(Entry(unit: unit, frame: frame, origin: origin, content: content))
    bytes += Self.size(content)
    while let first = entries.first {
      let limits = limits(of: first)
      if entries.count <= limits.events, bytes <= limits.bytes { break }
      forgetFirst()
    }
  }

  /// Forgets what is too old.
  mutating func expire(at now: Int64) {
    while let first = entries.first, isTooOld(first, at: now, limits(of: first)) { forgetFirst() }
  }

  /// The limits that keep an entry and all after it.
  private func limits(of entry: Entry) -> TakeLimits {
    guard let recordingLimits, units[entry.unit]?.session == sessionCount else { return limits }
    return TakeLimits(
      seconds: max(limits.seconds, recordingLimits.seconds),
      events: max(limits.events, recordingLimits.events),
      bytes: max(limits.bytes, recordingLimits.bytes))
  }

  private func isTooOld(_ entry: Entry, at now: Int64, _ limits: TakeLimits) -> Bool {
    time(of: entry) < now - Int64(limits.seconds * 1e9)
  }

  private mutating func forgetFirst() {
    guard let first = entries.first else { return }
    settings[first.unit, default: TakeSettings()].follow(first.content)
    bytes -= Self.size(first.content)
    units[first.unit]?.events -= 1
    releaseSound(of: first.unit)
    forgotten += 1
    // Rarely, so that an event costs a constant time on average.
    if forgotten > 64, 2 * forgotten > stored.count {
      stored.removeFirst(forgotten)
      forgotten = 0
    }
  }

  /// Removes sessions and units without events.
  private mutating func removeUnused() {
    let used = Set(entries.map(\.unit))
    units = units.filter { used.contains($0.key) }
    settings = settings.filter { used.contains($0.key) }
    let usedSessions = Set(units.values.map(\.session))
    sessions = sessions.filter { usedSessions.contains($0.key) }
  }

  private func session(of unit: UInt32) -> Session? { units[unit].flatMap { sessions[$0.session] } }

  private func time(of entry: Entry) -> Int64 {
    guard let session = session(of: entry.unit) else { return 0 }
    return session.time(of: entry.frame)
  }
}

extension TakeHistory {
  /// Returns a part of what was played; `nil` if there is no note in it.
  ///
  /// Its time is that of the devices' streams: it continues while a device misses cycles or is closed. Its frames are
  /// those of the last device.
  func take(_ request: TakeRequest, at now: Int64) -> Take? {
    var settings = settings
    var kept: [Entry] = []
    for (number, entry) in entries.enumerated() {
      guard let unit = units[entry.unit], request.port == nil || unit.port == request.port,
        request.session == nil ? unit.isTaken : unit.session == request.session
      else { continue }
      if isWanted(entry, request, at: now, following: entries.count - 1 - number) {
        kept.append(entry)
      } else {
        settings[entry.unit, default: TakeSettings()].follow(entry.content)
      }
    }
    guard let first = kept.first, let last = kept.last, let session = session(of: last.unit) else {
      return nil
    }
    let rate = Double(session.sampleRate)
    let begin =
      request.session == nil ? sessions.values.map(\.begin).min() ?? 0 : session.begin
    // Whole frames, so that events of a session keep their distances.
    func frame(_ position: Int64, of own: Session) -> Int64 {
      let offset = Int64((Double(own.begin - begin) / 1e9 * rate).rounded()) - request.begin
      if own.sampleRate == session.sampleRate { return offset + position }
      return offset + Int64((Double(position) / Double(own.sampleRate) * rate).rounded())
    }
    var builders: [TakeTrackBuilder] = []
    for entry in kept {
      guard let unit = units[entry.unit], let own = sessions[unit.session] else { continue }
      let index = builders.firstIndex { $0.plays(unit) } ?? builders.count
      if index == builders.count { builders.append(TakeTrackBuilder(unit)) }
      builders[index].add(
        entry.content, of: entry.unit, at: frame(entry.frame, of: own),
        settings: settings[entry.unit], lastFrame: frame(own.frame(at: now), of: own))
    }
    for index in builders.indices { builders[index].end() }
    builders.removeAll { $0.firstNote == nil }
    builders.sort { ($0.firstNote ?? 0) < ($1.firstNote ?? 0) }
    guard let firstNote = builders.first?.firstNote else { return nil }
    let unit = units[first.unit]
    let haveOneBeginning = kept.allSatisfy { entry in
      units[entry.unit]?.begin == unit?.begin && units[entry.unit]?.session == unit?.session
    }
    var start = firstNote
    if request.session != nil { start = 0 }
    if request.keepsSilence, haveOneBeginning, let begin = unit?.begin {
      start = frame(begin, of: session)
    }
    return Take(
      sampleRate: session.sampleRate,
      tracks: builders.map { $0.track(from: start) },
      firstNote: firstNote - start,
      isWhole: haveOneBeginning
        && kept.allSatisfy { settings[$0.unit] == nil && $0.origin == unit?.begin },
      hasLosses: kept.contains { $0.content == nil })
  }

  /// Whether an entry is in a take. Earlier ones have made the settings with which it begins.
  ///
  /// - Parameter later: The number of entries after it.
  private func isWanted(
    _ entry: Entry, _ request: TakeRequest, at now: Int64, following later: Int
  ) -> Bool {
    if request.session != nil { return entry.frame >= request.begin }
    if limits.seconds == 0 || later >= limits.events { return false }
    return time(of: entry) >= now - Int64(min(limits.seconds, request.seconds ?? .infinity) * 1e9)
  }
}

extension TakeHistory.Session {
  fileprivate func time(of frame: Int64) -> Int64 {
    begin + Int64(Double(frame) / Double(sampleRate) * 1e9)
  }

  /// The frame in the stream at a time of the session.
  fileprivate func frame(at time: Int64) -> Int64 {
    Int64(Double(min(time, end ?? time) - begin) / 1e9 * Double(sampleRate))
  }
}
