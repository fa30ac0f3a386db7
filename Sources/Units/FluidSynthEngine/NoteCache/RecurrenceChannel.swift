import RenderCore

/// The values that a MIDI channel has received and the notes that later messages affect, as far as both
/// can be predicted without a synth.
struct RecurrenceChannel {
  struct Note {
    /// The number of the note in the song.
    var index: Int
    var key: UInt8
    var start: Int64
    /// The frame at which the key, or the pedal that sustained the note, was released.
    var released = Int64.max
    var isHeld: Bool { released == .max }
  }

  /// The notes in the order of their starts.
  var notes: [Note] = []
  /// A hash of `values` that does not depend on the order in which they were set.
  var fingerprint: UInt64 = 0
  private var values: [UInt32: UInt16] = [:]
  private var isPedalDown = false
  /// The parameter selected for data entry: registered (RPN) or not (NRPN), and its number.
  private var parameter: (isRegistered: Bool, number: UInt16) = (true, 0x7F7F)

  /// The assumed length of a release, in frames. Most releases are shorter; the effect of messages on
  /// longer ones is not predicted.
  private static let releaseFrames: Int64 = 65_536
  /// The maximum number of notes that are tracked. A sustain pedal or a flood of notes may exceed it.
  private static let maximumNotes = 128

  /// Removes notes whose release is over.
  mutating func forgetEnded(by frame: Int64) {
    if !isPedalDown {
      notes.removeAll { !$0.isHeld && frame - $0.released > Self.releaseFrames }
    }
    if notes.count > Self.maximumNotes { notes.removeFirst(notes.count - Self.maximumNotes) }
  }

  /// Applies a message other than note-on and note-off.
  ///
  /// - Returns: Whether the message affects sounding notes.
  mutating func apply(_ message: ChannelMessage, at frame: Int64) -> Bool {
    switch message.kind {
    case .controlChange: return control(message.data1, message.data2, at: frame)
    case .keyPressure:
      set(identifier(message, message.data1), UInt16(message.data2))
    case .programChange:
      set(identifier(message), UInt16(message.data1))
      return false
    default:
      set(identifier(message), UInt16(message.data1) << 7 | UInt16(message.data2))
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
      for identifier: UInt32 in [1, 11, 64, 65, 66, 67, 68, Self.pressure, Self.bend] {
        clear(identifier)
      }
      releasePedal(at: frame)
      return true
    case 120...127: return true
    default: set(UInt32(number), UInt16(value))
    }
    if number == Controller.sustain {
      if value < 64 { releasePedal(at: frame) } else { isPedalDown = true }
    }
    return !Controller.isSilent(number)
  }

  /// Releases the notes that only the pedal sustains.
  private mutating func releasePedal(at frame: Int64) {
    guard isPedalDown else { return }
    isPedalDown = false
    for i in notes.indices where !notes[i].isHeld { notes[i].released = frame }
  }

  private func identifier(_ message: ChannelMessage, _ key: UInt8 = 0) -> UInt32 {
    UInt32(message.status & 0xF0) << 8 | UInt32(key)
  }

  private mutating func set(_ identifier: UInt32, _ value: UInt16) {
    clear(identifier)
    if isInitial(identifier, value) { return }
    values[identifier] = value
    fingerprint &+= mixed(UInt64(identifier) + 1, UInt64(value))
  }

  /// Whether a value equals the initial one: pedals up, modulation and pressure 0, pitch bend centered.
  private func isInitial(_ identifier: UInt32, _ value: UInt16) -> Bool {
    switch identifier {
    case 1, 64...69, Self.pressure: value == 0
    case Self.bend: value == 64
    default: false
    }
  }

  private static let pressure = UInt32(ChannelMessage.Kind.channelPressure.rawValue) << 8
  private static let bend = UInt32(ChannelMessage.Kind.pitchBend.rawValue) << 8

  private mutating func clear(_ identifier: UInt32) {
    guard let value = values.removeValue(forKey: identifier) else { return }
    fingerprint &-= mixed(UInt64(identifier) + 1, UInt64(value))
  }
}
