import RenderCore

/// Sends the messages of keyboards to the sounds of zones.
///
/// **Law "notes end":** a note-off, a pedal or the pressure of a key goes where the note-on or the pedal went, also if the
/// zones have changed since. Other messages go to the zones of now.
///
/// Threads: one at a time, which is not realtime.
struct ZoneRouter {
  /// A message for a sound.
  struct Routed: Equatable {
    let sound: UInt8
    let source: LiveInput.Source
    let message: ChannelMessage
  }

  private(set) var zones: [Zone] = []
  /// The indices of the zones that each source plays.
  private var played: [LiveInput.Source: [Int]] = [:]
  private var names: [LiveInput.Source: String] = [:]
  /// The notes that each key plays.
  private var notes: [Key: [Note]] = [:]
  /// The number of keys that hold each note.
  private var holders: [Note: Int] = [:]
  /// The notes that the held keys of a mono zone would play, the latest last.
  private var lines: [Line: [HeldNote]] = [:]
  /// The sounds that have a pedal of a source on.
  private var pedals: [Key: [Pedal]] = [:]
  /// The channels of sounds on which a source has put the legato pedal down.
  private var legatoLines: [LiveInput.Source: Set<Line>] = [:]
  /// The settings that each source has made.
  private var settings: [LiveInput.Source: Settings] = [:]
  /// The settings that each sound has received, by its number.
  private var received = [Settings?](repeating: nil, count: 256)

  /// An object, because its value is too large to be moved for each message.
  private final class Settings {
    var chase = InstrumentChase()
  }

  /// A key or a controller of a source.
  private struct Key: Hashable {
    let source: LiveInput.Source
    let channel: UInt8
    let number: UInt8

    init(_ source: LiveInput.Source, _ message: ChannelMessage) {
      self.source = source
      channel = message.channel
      number = message.data1
    }
  }

  private struct Note: Hashable {
    let source: LiveInput.Source
    let sound: UInt8
    let channel: UInt8
    let key: UInt8
    let isMono: Bool

    var line: Line { Line(sound: sound, channel: channel) }
  }

  private struct HeldNote {
    let note: Note
    let velocity: UInt8
  }

  private struct Line: Hashable {
    let sound: UInt8
    let channel: UInt8
  }

  private struct Pedal {
    let sound: UInt8
    let isInverted: Bool
  }

  /// Changes the zones. What is held goes on. The sounds of the new zones receive the settings that the controllers of
  /// their keyboards have now, except programs and pedals.
  mutating func setZones(_ zones: [Zone], into output: inout [Routed]) {
    self.zones = zones
    played = [:]
    for (source, settings) in settings {
      var done: Set<UInt8> = []
      for index in indices(of: source) where done.insert(zones[index].sound).inserted {
        let zone = zones[index]
        settings.chase.difference(
          from: received[Int(zone.sound)]?.chase ?? InstrumentChase()
        ) { message in
          if zone.isPlayed(by: message), Self.isChased(message),
            zone.controllers.passes(message)
          {
            output.append(Routed(sound: zone.sound, source: source, message: message))
          }
        }
      }
    }
    note(output)
  }

  /// Takes over what a source has played without zones: the port's own unit has its settings, and holds its keys and
  /// pedals.
  ///
  /// - Parameter chase: The settings that all sources together have made.
  mutating func begin(_ source: LiveInput.Source, _ held: HeldNotes, _ chase: InstrumentChase) {
    let settings = Settings()
    settings.chase = chase
    self.settings[source] = settings
    let unit = Settings()
    unit.chase = chase
    received[0] = unit
    var held = held
    while let release = held.popRelease() {
      if release.endsNote {
        let note = Note(
          source: source, sound: 0, channel: release.channel, key: release.data1, isMono: false)
        notes[Key(source, release)] = [note]
        holders[note] = 1
      } else {
        pedals[Key(source, release)] = [Pedal(sound: 0, isInverted: false)]
      }
    }
  }

  /// Sets the name of a source, which decides what zones it plays.
  mutating func setName(_ name: String?, of source: LiveInput.Source) {
    names[source] = name
    played[source] = nil
  }

  /// Forgets the settings of sounds that are made again.
  mutating func forgetSettings() {
    received = [Settings?](repeating: nil, count: 256)
    legatoLines = [:]
  }

  /// Forgets what is held, because everything has been released.
  mutating func forgetHeld() {
    notes = [:]
    holders = [:]
    lines = [:]
    pedals = [:]
    legatoLines = [:]
  }

  /// Forgets what a source holds, because it has been released.
  mutating func forgetHeld(by source: LiveInput.Source) {
    notes = notes.filter { $0.key.source != source }
    holders = holders.filter { $0.key.source != source }
    pedals = pedals.filter { $0.key.source != source }
    legatoLines[source] = nil
    for line in lines.keys { lines[line]?.removeAll { $0.note.source == source } }
  }

  /// Routes a message.
  ///
  /// - Parameter output: Receives the messages for sounds.
  mutating func route(
    _ message: ChannelMessage, from source: LiveInput.Source, into output: inout [Routed]
  ) {
    let first = output.count
    follow(message, of: source)
    if message.startsNote {
      start(message, source, &output)
    } else if message.endsNote {
      end(message, source, &output)
    } else if message.kind == .keyPressure {
      for note in notes[Key(source, message)] ?? [] {
        let pressure = ChannelMessage(
          .keyPressure, channel: message.channel, note.key, message.data2)
        output.append(Routed(sound: note.sound, source: source, message: pressure))
      }
    } else if message.kind == .controlChange, ChannelChase.isSwitch(message.data1) {
      press(message, source, &output)
    } else {
      for sound in sounds(for: message, source) {
        output.append(Routed(sound: sound, source: source, message: message))
      }
      if message.kind == .controlChange, message.data1 >= 120 { forget(message, source) }
    }
    note(output[first...])
  }

  /// The sounds of the zones that a source plays.
  mutating func sounds(of source: LiveInput.Source) -> Set<UInt8> {
    Set(indices(of: source).map { zones[$0].sound })
  }

  private mutating func indices(of source: LiveInput.Source) -> [Int] {
    if let indices = played[source] { return indices }
    let indices = zones.indices.filter { zones[$0].matches(keyboard: names[source]) }
    played[source] = indices
    return indices
  }

  private mutating func start(
    _ message: ChannelMessage, _ source: LiveInput.Source, _ output: inout [Routed]
  ) {
    let key = Key(source, message)
    let before = notes.removeValue(forKey: key) ?? []
    var now: [Note] = []
    var velocities: [UInt8] = []
    for index in indices(of: source)
    where zones[index].isPlayed(by: message)
      && zones[index].contains(key: message.data1, velocity: message.data2)
    {
      let number = Int(message.data1) + zones[index].transposition
      guard 0...127 ~= number else { continue }
      let note = Note(
        source: source, sound: zones[index].sound, channel: message.channel, key: UInt8(number),
        isMono: zones[index].isMono)
      if zones[index].isLegato, legatoLines[source, default: []].insert(note.line).inserted {
        let legato = ChannelMessage(.controlChange, channel: message.channel, 68, 127)
        output.append(Routed(sound: note.sound, source: source, message: legato))
      }
      if !now.contains(note) {
        now.append(note)
        velocities.append(zones[index].velocityCurve[message.data2])
      }
    }
    // The key is struck again without a note-off.
    for note in before where !now.contains(note) {
      release(note, velocity: 64, &output)
    }
    for (note, velocity) in zip(now, velocities) {
      if !before.contains(note) { holders[note, default: 0] += 1 }
      strike(HeldNote(note: note, velocity: velocity), &output)
    }
    if !now.isEmpty { notes[key] = now }
  }

  private mutating func end(
    _ message: ChannelMessage, _ source: LiveInput.Source, _ output: inout [Routed]
  ) {
    for note in notes.removeValue(forKey: Key(source, message)) ?? [] {
      release(note, velocity: message.data2, &output)
    }
  }

  private mutating func strike(_ held: HeldNote, _ output: inout [Routed]) {
    if held.note.isMono {
      lines[held.note.line]?.removeAll { $0.note == held.note }
      if let last = lines[held.note.line]?.last { output.append(Self.off(last.note, 64)) }
      lines[held.note.line, default: []].append(held)
    }
    output.append(Self.on(held))
  }

  private mutating func release(_ note: Note, velocity: UInt8, _ output: inout [Routed]) {
    let others = (holders[note] ?? 1) - 1
    holders[note] = others > 0 ? others : nil
    if others > 0 { return }
    guard note.isMono, var line = lines[note.line],
      let index = line.firstIndex(where: { $0.note == note })
    else { return output.append(Self.off(note, velocity)) }
    let wasLast = index == line.count - 1
    line.remove(at: index)
    lines[note.line] = line.isEmpty ? nil : line
    if !wasLast { return }
    output.append(Self.off(note, velocity))
    if let next = line.last { output.append(Self.on(next)) }
  }

  private static func on(_ held: HeldNote) -> Routed {
    let note = held.note
    let message = ChannelMessage(.noteOn, channel: note.channel, note.key, held.velocity)
    return Routed(sound: note.sound, source: note.source, message: message)
  }

  private static func off(_ note: Note, _ velocity: UInt8) -> Routed {
    let message = ChannelMessage(.noteOff, channel: note.channel, note.key, velocity)
    return Routed(sound: note.sound, source: note.source, message: message)
  }

  /// Routes a pedal or another switch to the zones of now, and to the sounds that have it on.
  private mutating func press(
    _ message: ChannelMessage, _ source: LiveInput.Source, _ output: inout [Routed]
  ) {
    let key = Key(source, message)
    var done: Set<UInt8> = []
    var on: [Pedal] = []
    func press(_ pedal: Pedal) {
      guard done.insert(pedal.sound).inserted else { return }
      let value = pedal.isInverted ? 127 - message.data2 : message.data2
      if value >= 64 { on.append(pedal) }
      let message = ChannelMessage(
        .controlChange, channel: message.channel, message.data1, value)
      output.append(Routed(sound: pedal.sound, source: source, message: message))
    }
    for index in indices(of: source)
    where zones[index].isPlayed(by: message) && zones[index].controllers.passes(message) {
      let isInverted = zones[index].invertsPedal && message.data1 == 64
      press(Pedal(sound: zones[index].sound, isInverted: isInverted))
    }
    // Only off: a sound that no zone plays any more must not be held by the next step on the pedal.
    for pedal in pedals[key] ?? [] where (message.data2 >= 64) == pedal.isInverted { press(pedal) }
    let still = (pedals[key] ?? []).filter { pedal in !done.contains(pedal.sound) }
    pedals[key] = on.isEmpty && still.isEmpty ? nil : on + still
  }

  /// Returns the sounds for a message that is neither of a key nor of a switch.
  private mutating func sounds(
    for message: ChannelMessage, _ source: LiveInput.Source
  ) -> [UInt8] {
    var sounds: [UInt8] = []
    for index in indices(of: source)
    where zones[index].isPlayed(by: message) && zones[index].controllers.passes(message)
      && !sounds.contains(zones[index].sound)
    {
      sounds.append(zones[index].sound)
    }
    guard message.kind == .controlChange, message.data1 >= 120 else { return sounds }
    // What ends notes or resets pedals goes to all that the source holds, too.
    let held =
      notes.filter { $0.key.source == source && $0.key.channel == message.channel }
      .values.joined().map(\.sound)
      + pedals.filter { $0.key.source == source && $0.key.channel == message.channel }
      .values.joined().map(\.sound)
    for sound in Set(held).sorted() where !sounds.contains(sound) { sounds.append(sound) }
    return sounds
  }

  /// Forgets what a message has ended: 121 resets pedals, the others end notes.
  private mutating func forget(_ message: ChannelMessage, _ source: LiveInput.Source) {
    func isOther(_ key: Key) -> Bool { key.source != source || key.channel != message.channel }
    if message.data1 == 121 {
      pedals = pedals.filter { isOther($0.key) }
    } else if message.data1 != 122 {
      for (key, ended) in notes where !isOther(key) {
        notes[key] = nil
        for note in ended {
          holders[note] = nil
          lines[note.line]?.removeAll { $0.note == note }
        }
      }
    }
  }

  private mutating func follow(_ message: ChannelMessage, of source: LiveInput.Source) {
    if let settings = settings[source] {
      settings.chase.follow(message)
    } else {
      let new = Settings()
      new.chase.follow(message)
      settings[source] = new
    }
  }

  /// Keeps what sounds have received.
  private mutating func note(_ output: some Sequence<Routed>) {
    for routed in output {
      let number = Int(routed.sound)
      if received[number] == nil { received[number] = Settings() }
      received[number]?.chase.follow(routed.message)
    }
  }

  /// Whether a sound receives the setting of a message when its zone begins.
  private static func isChased(_ message: ChannelMessage) -> Bool {
    switch message.kind {
    case .programChange: false
    case .controlChange:
      message.data1 != 0 && message.data1 != 32 && !ChannelChase.isSwitch(message.data1)
    default: true
    }
  }
}
