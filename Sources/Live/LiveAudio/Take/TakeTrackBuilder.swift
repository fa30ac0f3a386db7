import RenderCore

/// Collects the events of a port or of a sound of its zones, from one or more units.
struct TakeTrackBuilder {
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
    _ content: MIDIContent?, of unit: UInt32, at frame: Int64, settings: TakeSettings?,
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

  private mutating func append(_ content: MIDIContent?, at frame: Int64) {
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
    case .system: return
    case nil:
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
