import RenderCore

/// The events that keyboards have played lately, in bounded memory. The oldest are forgotten first; the settings that
/// they made are kept.
///
/// Times are in nanoseconds of CLOCK_MONOTONIC.
struct TakeHistory: Sendable {
  /// An event of a unit.
  enum Content: Equatable {
    case channel(ChannelMessage)
    case sysEx([UInt8])
    /// Events are missing here.
    case loss
  }

  struct Entry {
    let unit: UInt32
    /// In the stream of the device.
    let frame: Int64
    /// The position in the stream where the unit's frame 0 is, counted in the frames that it has rendered.
    let origin: Int64
    let content: Content
  }

  /// The time for which devices are open that share a sample rate.
  struct Session {
    let sampleRate: Int
    let begin: Int64
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
    /// The number of events that are kept.
    var events = 0
    /// Whether the unit does not exist any more.
    var isOver = false
    /// See ``Entry/origin``.
    var origin: Int64 = 0
  }

  /// With 0 seconds, nothing is recorded.
  var limits: TakeLimits
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
  private let keepsSounds: Bool

  /// - Parameter keepsSounds: Whether units of zones can be made again from the history.
  init(_ limits: TakeLimits, keepsSounds: Bool = true) {
    self.limits = limits
    self.keepsSounds = keepsSounds
  }

  var entries: ArraySlice<Entry> { stored[forgotten...] }

  /// Adds a device to the open session if that has its sample rate; otherwise begins a session. The device's units
  /// follow.
  ///
  /// - Returns: The number of the session, and whether it is new.
  mutating func begin(sampleRate: Int, at now: Int64) -> (session: Int, isNew: Bool) {
    if let session = sessions[sessionCount], session.end == nil {
      if session.sampleRate == sampleRate {
        sessions[sessionCount]?.devices += 1
        return (sessionCount, false)
      }
      sessions[sessionCount]?.end = now
    }
    removeUnused()
    sessionCount += 1
    sessions[sessionCount] = Session(sampleRate: sampleRate, begin: now)
    return (sessionCount, true)
  }

  /// Returns an empty history of the session, with the same numbers of units.
  func emptySession(_ limits: TakeLimits) -> TakeHistory {
    var copy = TakeHistory(limits, keepsSounds: false)
    (copy.sessionCount, copy.unitCount) = (sessionCount, unitCount)
    copy.sessions[sessionCount] = sessions[sessionCount]
    return copy
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
  mutating func addUnit(of port: String, sound: ZoneSound?) -> UInt32 {
    unitCount += 1
    units[unitCount] = Unit(
      port: port, soundName: sound?.name, sound: keepsSounds ? sound : nil, session: sessionCount)
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

  mutating func setOrigin(_ origin: Int64, of unit: UInt32) { units[unit]?.origin = origin }

  /// Adds an event, and forgets the oldest ones beyond the limits.
  mutating func add(_ content: Content, of unit: UInt32, at frame: Int64) {
    guard limits.seconds > 0, let origin = units[unit]?.origin else { return }
    eventCount += 1
    units[unit]?.events += 1
    stored.append(Entry(unit: unit, frame: frame, origin: origin, content: content))
    bytes += content.size
    while entries.count > limits.events || bytes > limits.bytes { forgetFirst() }
  }

  /// Forgets what is too old.
  mutating func expire(at now: Int64) {
    let earliest = now - Int64(limits.seconds * 1e9)
    while let first = entries.first, time(of: first) < earliest { forgetFirst() }
  }

  private mutating func forgetFirst() {
    guard let first = entries.first else { return }
    settings[first.unit, default: TakeSettings()].follow(first.content)
    bytes -= first.content.size
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

  func session(of unit: UInt32) -> Session? { units[unit].flatMap { sessions[$0.session] } }

  func time(of entry: Entry) -> Int64 {
    guard let session = session(of: entry.unit) else { return 0 }
    return session.time(of: entry.frame)
  }
}

extension TakeHistory.Session {
  func time(of frame: Int64) -> Int64 {
    begin + Int64(Double(frame) / Double(sampleRate) * 1e9)
  }

  /// The frame in the stream at a time of the session.
  func frame(at time: Int64) -> Int64 {
    Int64(Double(min(time, end ?? time) - begin) / 1e9 * Double(sampleRate))
  }
}

extension TakeHistory.Content {
  /// The bytes of System Exclusive.
  var size: Int { if case .sysEx(let bytes) = self { bytes.count } else { 0 } }
}
