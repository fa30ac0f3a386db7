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
  /// The sources, by their numbers.
  private var players = [ZonePlayer?](repeating: nil, count: 64)
  /// The notes that the held keys of a mono zone would play, the latest last.
  var lines: [ZoneLine: [HeldNote]] = [:]
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

    func isOf(_ other: ZoneNote, _ source: LiveInput.Source) -> Bool {
      note == other && self.source == source
    }
  }

  /// Changes the zones. What is held goes on. The sounds of the new zones receive the settings that the controllers of
  /// their keyboards have now, except programs and pedals.
  mutating func setZones(_ zones: [Zone], into output: inout [Routed]) {
    self.zones = zones
    for player in players.compactMap(\.self) {
      player.zones = nil
      guard player.hasPlayed else { continue }
      var done = SoundSet()
      for index in indices(of: player) where done.insert(zones[index].sound) {
        let zone = zones[index]
        player.chase.difference(
          from: received[Int(zone.sound)]?.chase ?? InstrumentChase()
        ) { message in
          if zone.isPlayed(by: message), Self.isChased(message),
            zone.controllers.passes(message)
          {
            output.append(Routed(sound: zone.sound, source: player.source, message: message))
          }
        }
      }
    }
    note(output[...])
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
  /// - Parameter output: Receives the messages for sounds.
  mutating func route(
    _ message: ChannelMessage, from source: LiveInput.Source, into output: inout [Routed]
  ) {
    let first = output.count
    let player = player(source)
    player.chase.follow(message)
    player.hasPlayed = true
    if message.startsNote {
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

  func indices(of player: ZonePlayer) -> [Int] {
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
