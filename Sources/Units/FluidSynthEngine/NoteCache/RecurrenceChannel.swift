import RenderCore

/// What a channel was told, and the notes that may hear what it is told next, as far as that can be
/// known without a synth.
struct RecurrenceChannel {
  struct Note {
    /// Its number in the song.
    var index: Int
    var key: UInt8
    var start: Int64
    /// When it was let go, by the key or by the pedal that held it on.
    var released = Int64.max
    var isHeld: Bool { released == .max }
  }

  /// In the order of their beginnings.
  var notes: [Note] = []
  /// A sum over `told`, whatever the order of telling.
  var fingerprint: UInt64 = 0
  private var told: [UInt32: UInt16] = [:]
  private var isPedalDown = false
  /// What data entry will change: whether it is a registered parameter, and its number.
  private var parameter: (isRegistered: Bool, number: UInt16) = (true, 0x7F7F)

  /// How long a note is taken to sound when it is let go. Most are over sooner; what the rest hear
  /// later is not foreseen.
  private static let releaseFrames: Int64 = 65_536
  /// How many notes are followed. Pedals and floods may have more.
  private static let mostNotes = 128

  /// Forgets notes that have faded.
  mutating func forgetEnded(by frame: Int64) {
    if !isPedalDown {
      notes.removeAll { !$0.isHeld && frame - $0.released > Self.releaseFrames }
    }
    if notes.count > Self.mostNotes { notes.removeFirst(notes.count - Self.mostNotes) }
  }

  /// Takes in a message that is about no key being struck or let go.
  ///
  /// - Returns: Whether sounding notes hear it.
  mutating func tell(_ message: ChannelMessage, at frame: Int64) -> Bool {
    switch message.kind {
    case .controlChange: return control(message.data1, message.data2, at: frame)
    case .keyPressure:
      set(place(message, message.data1), UInt16(message.data2))
    case .programChange:
      set(place(message), UInt16(message.data1))
      return false
    default:
      set(place(message), UInt16(message.data1) << 7 | UInt16(message.data2))
    }
    return true
  }

  private mutating func control(_ number: UInt8, _ value: UInt8, at frame: Int64) -> Bool {
    switch number {
    case 98, 100:
      parameter = (number == 100, parameter.number & 0x7F00 | UInt16(value))
    case 99, 101:
      parameter = (number == 101, parameter.number & 0x7F | UInt16(value) << 8)
    case 6, 38:
      let kind: UInt32 = parameter.isRegistered ? 1 : 2
      set(kind << 24 | UInt32(number) << 16 | UInt32(parameter.number), UInt16(value))
      return true
    case Controller.resetAll:
      for place: UInt32 in [1, 11, 64, 65, 66, 67, 68, Self.pressure, Self.bend] { clear(place) }
      liftPedal(at: frame)
      return true
    case 120...127: return true
    default: set(UInt32(number), UInt16(value))
    }
    if number == Controller.sustain {
      if value < 64 { liftPedal(at: frame) } else { isPedalDown = true }
    }
    return !Controller.isSilent(number)
  }

  /// Lets go of the notes that the pedal alone held.
  private mutating func liftPedal(at frame: Int64) {
    guard isPedalDown else { return }
    isPedalDown = false
    for i in notes.indices where !notes[i].isHeld { notes[i].released = frame }
  }

  private func place(_ message: ChannelMessage, _ key: UInt8 = 0) -> UInt32 {
    UInt32(message.status & 0xF0) << 8 | UInt32(key)
  }

  private mutating func set(_ place: UInt32, _ value: UInt16) {
    clear(place)
    if isAtRest(place, value) { return }
    told[place] = value
    fingerprint &+= mixed(UInt64(place) + 1, UInt64(value))
  }

  /// Whether a value is that of a channel never told: pedals up, wheels at rest.
  private func isAtRest(_ place: UInt32, _ value: UInt16) -> Bool {
    switch place {
    case 1, 64...69, Self.pressure: value == 0
    case Self.bend: value == 64
    default: false
    }
  }

  private static let pressure = UInt32(ChannelMessage.Kind.channelPressure.rawValue) << 8
  private static let bend = UInt32(ChannelMessage.Kind.pitchBend.rawValue) << 8

  private mutating func clear(_ place: UInt32) {
    guard let value = told.removeValue(forKey: place) else { return }
    fingerprint &-= mixed(UInt64(place) + 1, UInt64(value))
  }
}
