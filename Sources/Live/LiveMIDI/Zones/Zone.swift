package import RenderCore

/// A range of what keyboards play, and what becomes of it: which sound plays it, and how keys and velocities change.
///
/// Zones that overlap are layers, others are splits.
package struct Zone: Equatable, Sendable {
  /// The names of the keyboards, with `*`, `?` and `[…]` as in file names; empty: any source.
  package var keyboards: [String] = []
  /// The channel on which a keyboard must play, 0…15; `nil`: any.
  package var channel: UInt8?
  package var keys: ClosedRange<UInt8> = 0...127
  package var velocities: ClosedRange<UInt8> = 1...127
  /// In semitones. A note that leaves 0…127 is not played.
  package var transposition = 0
  /// In semitones, in addition: what the scene or the player transposes on all ports, except drums.
  package var shift = 0
  /// The notes of the sound that are drums.
  package var drums = Drums.channel10
  package var velocityCurve = VelocityCurve.linear
  package var controllers = ControllerFilter.all
  /// The controllers that act as others, which pass in any case. One may have several routes.
  package var routes: [ControllerRoute] = []
  /// Whether the sustain pedal works the wrong way round.
  package var invertsPedal = false
  /// Whether a new note ends the one before. When its key is released, the last key that is still held plays again.
  package var isMono = false
  /// Whether a note that begins while another is held continues it, by the legato pedal (controller 68).
  package var isLegato = false
  /// How its notes glide; `nil`: they do not.
  package var portamento: Portamento?
  /// The number of the sound that plays the zone; 0: the port's own unit.
  package var sound: UInt8 = 0

  package enum Drums: Equatable, Sendable {
    case none
    /// As of the port's own unit.
    case channel10
    case all
  }

  package init() {}

  func isPlayed(by message: ChannelMessage) -> Bool {
    channel == nil || channel == message.channel
  }

  /// Passes what the zone receives for a message that is neither of a key nor of a switch.
  func receive(_ message: ChannelMessage, _ body: (ChannelMessage) -> Void) {
    var isRouted = false
    for route in routes {
      if let routed = route.routed(message) {
        body(routed)
        isRouted = true
      } else if route.isFinePart(message) {
        isRouted = true
      }
    }
    if !isRouted, controllers.passes(message) { body(message) }
  }

  /// Returns the key that sounds for a key that is played; `nil` if there is none.
  func key(of message: ChannelMessage) -> UInt8? {
    let isDrums = drums == .all || drums == .channel10 && message.channel == 9
    return UInt8(exactly: Int(message.data1) + transposition + (isDrums ? 0 : shift)).flatMap {
      $0 < 128 ? $0 : nil
    }
  }

  func contains(key: UInt8, velocity: UInt8) -> Bool {
    keys.contains(key) && velocities.contains(velocity)
  }

  /// Whether a keyboard plays the zone.
  ///
  /// - Parameter name: The name of the source; `nil` if it is not known.
  func matches(keyboard name: String?) -> Bool {
    if keyboards.isEmpty { return true }
    guard let name else { return false }
    return keyboards.contains { name.matches(namePattern: $0) }
  }
}

/// What becomes of held notes and pedals when other zones begin.
package enum HeldNotePolicy: Equatable, Sendable {
  /// They sound until they are released.
  case hold
  case end
  /// The next note ends them.
  case endAtNextNote
}

/// The controllers and other channel messages that pass from a keyboard to a sound. Notes and messages that end notes
/// always pass.
package struct ControllerFilter: Equatable, Sendable {
  /// One bit for each controller, 0…119.
  private var low: UInt64
  private var high: UInt64
  package var passesBend: Bool
  package var passesPressure: Bool
  package var passesPrograms: Bool

  package static let all = Self(
    low: .max, high: .max, passesBend: true, passesPressure: true, passesPrograms: true)
  package static let none = Self(
    low: 0, high: 0, passesBend: false, passesPressure: false, passesPrograms: false)

  private init(
    low: UInt64, high: UInt64, passesBend: Bool, passesPressure: Bool, passesPrograms: Bool
  ) {
    self.low = low
    self.high = high
    self.passesBend = passesBend
    self.passesPressure = passesPressure
    self.passesPrograms = passesPrograms
  }

  /// Lets a controller pass, 0…127.
  package mutating func pass(_ controller: UInt8) {
    if controller < 64 {
      low |= 1 << UInt64(controller)
    } else {
      high |= 1 << UInt64(controller & 63)
    }
  }

  func passes(_ message: ChannelMessage) -> Bool {
    switch message.kind {
    case .noteOff, .noteOn: true
    case .keyPressure, .channelPressure: passesPressure
    case .pitchBend: passesBend
    case .programChange: passesPrograms
    case .controlChange where message.data1 >= 120: true
    case .controlChange:
      (message.data1 < 64 ? low : high) & 1 << UInt64(message.data1 & 63) != 0
    }
  }
}
