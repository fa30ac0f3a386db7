import RenderCore

/// The settings of a unit at a point of a take: what earlier events have set.
struct TakeSettings {
  private var chase = InstrumentChase()
  /// The System Exclusive messages since the last that reset the instrument, and that one, the oldest first.
  private var sysEx: [[UInt8]] = []

  /// The number of System Exclusive messages that are kept.
  private static let sysExLimit = 64

  mutating func follow(_ content: MIDIContent?) {
    switch content {
    case .channel(let message): chase.follow(message)
    case .sysEx(let bytes):
      bytes.withUnsafeBufferPointer { buffer in
        chase.follow(sysEx: buffer)
        if SystemExclusive.resets(buffer) { sysEx = [] }
      }
      sysEx.append(bytes)
      if sysEx.count > Self.sysExLimit { sysEx.removeFirst() }
    case .system, nil: break
    }
  }

  /// The messages that bring a new unit to these settings: programs, controllers and held pedals, without keys.
  var messages: [MIDIContent] {
    var messages = sysEx.map { MIDIContent.sysEx($0) }
    // Their System Exclusive messages are among those that are kept, and a reset must not follow these.
    messages += chase.settings.filter { if case .channel = $0 { true } else { false } }
    chase.difference(from: InstrumentChase()) { message in
      if message.kind == .controlChange, ChannelChase.isSwitch(message.data1) {
        messages.append(.channel(message))
      }
    }
    return messages
  }

  /// The messages that bring a unit from these settings to those of a new unit.
  var reset: [MIDIContent] { InstrumentChase().difference(from: chase) }
}
