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
  /// Whether the next note ends what is held now.
  private var endsHeldAtNextNote = false
  /// The sources, by their numbers.
  private var players = [ZonePlayer?](repeating: nil, count: 64)
  /// The notes that the held keys of a mono zone would play, the latest last.
  private var lines: [ZoneLine: [HeldNote]] = [:]
  /// The pitches from which the notes of zones with portamento glide.
  private var glides: [ZoneLine: Glide] = [:]
  /// The time of the message that is being routed, in nanoseconds.
  private var time: Int64 = 0
  /// The settings that each sound has received, by its number.
  private var received = [Settings?](repeating: nil, count: 256)

  /// An object, because its value is too large to be moved for each message. Without checks for exclusive access, which
  /// take longer than a change; the router makes them.
  private final class Settings {
    @exclusivity(unchecked) var chase = InstrumentChase()
  }

  struct HeldNote {
    let note: ZoneNote
    let source: LiveInput.Source
    let velocity: UInt8
    let portamento: Portamento?

    func isOf(_ other: ZoneNote, _ source: LiveInput.Source) -> Bool {
      note == other && self.source == source
    }
  }

  /// Changes the zones. What is held goes on. The sounds of the new zones receive the settings that the controllers of
  /// their keyboards have now, except programs and pedals.
  mutating func setZones(_ zones: [Zone], into output: inout [Routed]) {
    self.zones = zones
    let first = output.count
    for player in players.compactMap(\.self) {
      player.zones = nil
      guard player.hasPlayed else { continue }
      var done = SoundSet()
      for index in indices(of: player) where done.insert(zones[index].sound) {
        let zone = zones[index]
        player.chase.difference(
          from: received[Int(zone.sound)]?.chase ?? InstrumentChase()
        ) { message in
          if zone.isPlayed(by: message), Self.isChased(message) {
            zone.receive(message) {
              output.append(Routed(sound: zone.sound, source: player.source, message: $0))
            }
          }
        }
      }
    }
    note(output[first...])
  }

  /// Ends the notes and pedals that are held, or lets the next note end them.
  mutating func endHeld(_ held: HeldNotePolicy, into output: inout [Routed]) {
    endsHeldAtNextNote = held == .endAtNextNote
    guard held == .end else { return }
    let first = output.count
    lines = [:]
    for player in players.compactMap(\.self) {
      for channel in UInt8(0)..<16 {
        for note in player.takeNotes(on: channel) { release(note, player, velocity: 64, &output) }
        for (controller, pedal) in player.takePedals(on: channel) {
          let message = ChannelMessage(.controlChange, channel: channel, controller, 0)
          output.append(Routed(sound: pedal.sound, source: player.source, message: message))
        }
      }
    }
    note(output[first...])
  }

  /// Takes over what a source has played without zones: the port's own unit has its settings, and holds its keys and
  /// pedals.
  ///
  /// - Parameters:
  ///   - state: What the source holds and has moved.
  ///   - chase: The settings that all sources together have made, without their positions.
  mutating func begin(_ source: LiveInput.Source, _ state: SourceState, _ chase: InstrumentChase) {
    let player = player(source)
    player.chase = chase
    player.hasPlayed = true
    let unit = received[0] ?? Settings()
    if received[0] == nil { unit.chase = chase }
    received[0] = unit
    for position in state.positions.messages {
      player.chase.follow(position)
      unit.chase.follow(position)
    }
    var held = state.notes
    while let release = held.popRelease() {
      if release.endsNote {
        let note = ZoneNote(
          sound: 0, channel: release.channel, key: release.data1, isMono: false)
        player.setNotes([note], of: release)
      } else {
        player.setPedals([ZonePedal(sound: 0, isInverted: false)], of: release)
      }
    }
  }

  /// Sets the name of a source, which decides what zones it plays.
  mutating func setName(_ name: String?, of source: LiveInput.Source) {
    let player = player(source)
    player.name = name
    player.zones = nil
  }

  /// Forgets the settings of sounds that other units play from now on.
  mutating func forgetSettings(where isMoved: (UInt8) -> Bool) {
    for sound in received.indices where isMoved(UInt8(sound)) { received[sound] = nil }
  }

  /// Forgets what is held on some sounds, because it has been released.
  mutating func forgetHeld(where isReleased: (UInt8) -> Bool) {
    for player in players { player?.forgetHeld(where: isReleased) }
    lines = lines.filter { !isReleased($0.key.sound) }
  }

  /// Forgets what a source holds and has moved, because it has been released.
  mutating func release(_ source: LiveInput.Source, _ state: SourceState) {
    for line in lines.keys { lines[line]?.removeAll { $0.source == source } }
    guard let player = players[Int(source.number)] else { return }
    player.forgetHeld { _ in true }
    var positions = state.positions
    while let rest = positions.popRest() {
      player.chase.follow(rest)
      received[0]?.chase.follow(rest)
    }
  }

  /// Forgets a source that has been released: its settings do not apply to the sounds of later zones.
  mutating func remove(_ source: LiveInput.Source) { players[Int(source.number)] = nil }

  /// Keeps what a sound has received.
  mutating func note(_ message: ChannelMessage, for sound: UInt8) {
    received[Int(sound)]?.chase.follow(message)
  }

  /// Routes a message.
  ///
  /// - Parameters:
  ///   - time: When it was played, in nanoseconds.
  ///   - output: Receives the messages for sounds.
  mutating func route(
    _ message: ChannelMessage, from source: LiveInput.Source, at time: Int64 = 0,
    into output: inout [Routed]
  ) {
    let first = output.count
    self.time = time
    let player = player(source)
    player.chase.follow(message)
    player.hasPlayed = true
    if message.startsNote {
      if endsHeldAtNextNote { endHeld(.end, into: &output) }
      start(message, player, &output)
    } else if message.endsNote {
      for note in player.takeNotes(of: message) {
        release(note, player, velocity: message.data2, &output)
      }
    } else if message.kind == .keyPressure {
      for note in player.notes(of: message) {
        let pressure = ChannelMessage(
          .keyPressure, channel: message.channel, note.key, message.data2)
        output.append(Routed(sound: note.sound, source: source, message: pressure))
      }
    } else if message.kind == .controlChange, ChannelChase.isSwitch(message.data1) {
      press(message, player, &output)
    } else {
      pass(message, player, &output)
    }
    note(output[first...])
  }

  /// The sounds of the zones that a source plays.
  mutating func sounds(of source: LiveInput.Source) -> Set<UInt8> {
    Set(indices(of: player(source)).map { zones[$0].sound })
  }

  private mutating func player(_ source: LiveInput.Source) -> ZonePlayer {
    if let player = players[Int(source.number)] { return player }
    let player = ZonePlayer(source)
    players[Int(source.number)] = player
    return player
  }

  private func indices(of player: ZonePlayer) -> [Int] {
    if let indices = player.zones { return indices }
    let indices = zones.indices.filter { zones[$0].matches(keyboard: player.name) }
    player.zones = indices
    return indices
  }

  /// Keeps what sounds have received.
  private mutating func note(_ output: ArraySlice<Routed>) {
    for routed in output {
      let number = Int(routed.sound)
      if let settings = received[number] {
        settings.chase.follow(routed.message)
      } else {
        let settings = Settings()
        settings.chase.follow(routed.message)
        received[number] = settings
      }
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

extension ZoneRouter {
  /// Routes a pedal or another switch to the zones of now, and to the sounds that have it on.
  private mutating func press(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    var done = SoundSet()
    var on: [ZonePedal] = []
    func press(_ pedal: ZonePedal) {
      guard done.insert(pedal.sound) else { return }
      let value = pedal.isInverted ? 127 - message.data2 : message.data2
      if value >= 64 { on.append(pedal) }
      let message = ChannelMessage(
        .controlChange, channel: message.channel, message.data1, value)
      output.append(Routed(sound: pedal.sound, source: player.source, message: message))
    }
    for index in indices(of: player)
    where zones[index].isPlayed(by: message) && zones[index].controllers.passes(message) {
      let isInverted = zones[index].invertsPedal && message.data1 == 64
      press(ZonePedal(sound: zones[index].sound, isInverted: isInverted))
    }
    // Only off: a sound that no zone plays any more must not be held by the next step on the pedal.
    let before = player.pedals(of: message)
    for pedal in before where (message.data2 >= 64) == pedal.isInverted { press(pedal) }
    for pedal in before where !done.contains(pedal.sound) { on.append(pedal) }
    player.setPedals(on, of: message)
  }

  /// Routes a message that is neither of a key nor of a switch.
  private mutating func pass(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    var done = SoundSet()
    for index in indices(of: player)
    where zones[index].isPlayed(by: message) && !done.contains(zones[index].sound) {
      let sound = zones[index].sound
      zones[index].receive(message) {
        _ = done.insert(sound)
        output.append(Routed(sound: sound, source: player.source, message: $0))
      }
    }
    guard message.kind == .controlChange, message.data1 >= 120 else { return }
    // What ends notes or resets pedals goes to all that the source holds, too.
    var held: [UInt8] = []
    player.addSounds(heldOn: message.channel, to: &held)
    for sound in held.sorted() where done.insert(sound) {
      output.append(Routed(sound: sound, source: player.source, message: message))
    }
    forget(message, player)
  }

  /// Forgets what a message has ended: 121 resets pedals, the others end notes.
  private mutating func forget(_ message: ChannelMessage, _ player: ZonePlayer) {
    if message.data1 == 121 { return player.forgetPedals(on: message.channel) }
    if message.data1 == 122 { return }
    for note in player.takeNotes(on: message.channel) where note.isMono {
      lines[note.line]?.removeAll { $0.isOf(note, player.source) }
    }
  }
}

extension ZoneRouter {
  /// Routes a note-on.
  private mutating func start(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    let before = player.takeNotes(of: message)
    var now: [ZoneNote] = []
    var struck: [HeldNote] = []
    for index in indices(of: player)
    where zones[index].isPlayed(by: message)
      && zones[index].contains(key: message.data1, velocity: message.data2)
    {
      guard let key = zones[index].key(of: message) else { continue }
      let note = ZoneNote(
        sound: zones[index].sound, channel: message.channel, key: key,
        isMono: zones[index].isMono)
      if zones[index].isLegato, player.legatoLines.insert(note.line).inserted {
        let legato = ChannelMessage(.controlChange, channel: message.channel, 68, 127)
        output.append(Routed(sound: note.sound, source: player.source, message: legato))
      }
      if !now.contains(note) {
        now.append(note)
        struck.append(
          HeldNote(
            note: note, source: player.source, velocity: zones[index].velocityCurve[message.data2],
            portamento: zones[index].portamento))
      }
    }
    // The key is struck again without a note-off.
    for note in before where !now.contains(note) {
      release(note, player, velocity: 64, &output)
    }
    for note in struck { strike(note, &output) }
    if !now.isEmpty { player.setNotes(now, of: message) }
  }

  private mutating func strike(_ held: HeldNote, _ output: inout [Routed]) {
    let isLegato = held.portamento != nil && isHeld(held.note.line)
    if held.note.isMono {
      let line = held.note.line
      lines[line]?.removeAll { $0.isOf(held.note, held.source) }
      if let last = lines[line]?.last { output.append(Self.off(last.note, last.source, 64)) }
      lines[line, default: []].append(held)
    }
    glide(held, isLegato: isLegato, &output)
    output.append(Self.on(held))
  }

  /// Whether a key holds a note of a channel of a sound.
  private func isHeld(_ line: ZoneLine) -> Bool { players.contains { $0?.plays(line) ?? false } }

  /// Lets the next note glide from the present pitch: it receives portamento time, of 14 bits so that it is in
  /// milliseconds with every FluidSynth, and portamento control.
  private mutating func glide(_ held: HeldNote, isLegato: Bool, _ output: inout [Routed]) {
    guard let portamento = held.portamento else { return }
    let (line, key) = (held.note.line, held.note.key)
    let pitch = glides[line]?.pitch(at: time).rounded() ?? Double(key)
    let glides = pitch != Double(key) && (isLegato || !portamento.isFingered)
    let duration = glides ? portamento.milliseconds(Double(key) - pitch) : 0
    self.glides[line] = Glide(
      from: glides ? pitch : Double(key), to: key, at: time, milliseconds: duration)
    if !glides { return }
    for (controller, value) in [
      (37, duration & 127), (5, duration >> 7), (84, Int(pitch)),
    ] as [(UInt8, Int)] {
      let message = ChannelMessage(.controlChange, channel: line.channel, controller, UInt8(value))
      output.append(Routed(sound: line.sound, source: held.source, message: message))
    }
  }

  /// Ends a note of a key that has been released, unless another key holds it.
  private mutating func release(
    _ note: ZoneNote, _ player: ZonePlayer, velocity: UInt8, _ output: inout [Routed]
  ) {
    if player.plays(note) { return }
    guard note.isMono, var line = lines[note.line],
      let index = line.firstIndex(where: { $0.isOf(note, player.source) })
    else { return output.append(Self.off(note, player.source, velocity)) }
    let wasLast = index == line.count - 1
    line.remove(at: index)
    lines[note.line] = line.isEmpty ? nil : line
    if !wasLast { return }
    output.append(Self.off(note, player.source, velocity))
    if let next = line.last {
      glide(next, isLegato: true, &output)
      output.append(Self.on(next))
    }
  }

  private static func on(_ held: HeldNote) -> Routed {
    let note = held.note
    let message = ChannelMessage(.noteOn, channel: note.channel, note.key, held.velocity)
    return Routed(sound: note.sound, source: held.source, message: message)
  }

  private static func off(
    _ note: ZoneNote, _ source: LiveInput.Source, _ velocity: UInt8
  ) -> Routed {
    let message = ChannelMessage(.noteOff, channel: note.channel, note.key, velocity)
    return Routed(sound: note.sound, source: source, message: message)
  }
}
