import RenderCore

/// The state of a source in a ``ZoneRouter``. Keys and pedals are found by their numbers, because hashing them would take
/// longer than all else. There are no checks for exclusive access, which take longer than a change: the router, a value,
/// has them.
///
/// Threads: one at a time.
final class ZonePlayer {
  let source: LiveInput.Source
  var name: String?
  /// The indices of the zones that the source plays; `nil` until they are needed.
  @exclusivity(unchecked) var zones: [Int]?
  /// The settings that the source has made.
  @exclusivity(unchecked) var chase = InstrumentChase()
  /// Whether it has sent anything.
  @exclusivity(unchecked) var hasPlayed = false
  /// The channels of sounds on which it has put the legato pedal down.
  var legatoLines: Set<ZoneLine> = []
  /// The notes that each key plays, by channel and key.
  @exclusivity(unchecked) private var notes = [[ZoneNote]](repeating: [], count: 16 * 128)
  /// The keys that play notes, as indices of ``notes``.
  @exclusivity(unchecked) private var keys: [Int] = []
  /// The sounds that have a switch on, by channel and controller.
  private var pedals = [[ZonePedal]](repeating: [], count: 16 * 8)

  init(_ source: LiveInput.Source) { self.source = source }

  private static func key(_ message: ChannelMessage) -> Int {
    Int(message.channel) * 128 + Int(message.data1)
  }

  /// Returns the notes that the key of a message plays.
  func notes(of message: ChannelMessage) -> [ZoneNote] { notes[Self.key(message)] }

  /// Removes and returns the notes that the key of a message plays.
  func takeNotes(of message: ChannelMessage) -> [ZoneNote] {
    let key = Self.key(message)
    if notes[key].isEmpty { return [] }
    let taken = notes[key]
    notes[key] = []
    keys.removeAll { $0 == key }
    return taken
  }

  /// Sets the notes that the key of a message plays, which plays none.
  func setNotes(_ new: [ZoneNote], of message: ChannelMessage) {
    let key = Self.key(message)
    notes[key] = new
    keys.append(key)
  }

  /// Whether some key plays a note.
  func plays(_ note: ZoneNote) -> Bool { keys.contains { notes[$0].contains(note) } }

  /// The sounds that have a switch on.
  func pedals(of message: ChannelMessage) -> [ZonePedal] { pedals[Self.pedal(message)] }

  func setPedals(_ new: [ZonePedal], of message: ChannelMessage) {
    pedals[Self.pedal(message)] = new
  }

  /// The switches are controllers 64 to 69.
  private static func pedal(_ message: ChannelMessage) -> Int {
    Int(message.channel) * 8 + Int(message.data1 & 7)
  }

  /// Whether some key plays a note of a channel of a sound.
  func plays(_ line: ZoneLine) -> Bool { keys.contains { notes[$0].contains { $0.line == line } } }

  /// Adds the sounds on which a channel holds a key or a pedal.
  func addSounds(heldOn channel: UInt8, to sounds: inout [UInt8]) {
    for key in keys where key >> 7 == Int(channel) { sounds += notes[key].map(\.sound) }
    for pedal in pedals[Int(channel) * 8..<Int(channel) * 8 + 8] { sounds += pedal.map(\.sound) }
  }

  /// Removes and returns the notes of all keys of a channel.
  func takeNotes(on channel: UInt8) -> [ZoneNote] {
    var taken: [ZoneNote] = []
    for key in keys where key >> 7 == Int(channel) {
      taken += notes[key]
      notes[key] = []
    }
    keys.removeAll { $0 >> 7 == Int(channel) }
    return taken
  }

  /// Removes and returns the switches of a channel that are on, with their controllers.
  func takePedals(on channel: UInt8) -> [(controller: UInt8, pedal: ZonePedal)] {
    var taken: [(UInt8, ZonePedal)] = []
    for index in 0..<8 where !pedals[Int(channel) * 8 + index].isEmpty {
      // The indices are the lower three bits of 64 to 69.
      taken += pedals[Int(channel) * 8 + index].map { (64 + UInt8(index), $0) }
    }
    forgetPedals(on: channel)
    return taken
  }

  func forgetPedals(on channel: UInt8) {
    for pedal in Int(channel) * 8..<Int(channel) * 8 + 8 { pedals[pedal] = [] }
  }

  /// Forgets what is held on some sounds.
  func forgetHeld(where isReleased: (UInt8) -> Bool) {
    for key in keys { notes[key].removeAll { isReleased($0.sound) } }
    keys.removeAll { notes[$0].isEmpty }
    for pedal in pedals.indices { pedals[pedal].removeAll { isReleased($0.sound) } }
    legatoLines = legatoLines.filter { !isReleased($0.sound) }
  }
}

/// A note that a key of a source plays.
struct ZoneNote: Hashable {
  let sound: UInt8
  let channel: UInt8
  let key: UInt8
  let isMono: Bool

  var line: ZoneLine { ZoneLine(sound: sound, channel: channel) }
}

/// A channel of a sound.
struct ZoneLine: Hashable {
  let sound: UInt8
  let channel: UInt8
}

/// A sound that has a switch on.
struct ZonePedal {
  let sound: UInt8
  let isInverted: Bool
}
