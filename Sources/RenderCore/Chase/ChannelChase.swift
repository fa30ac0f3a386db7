package import MIDICore

/// What one MIDI channel is set to, so that another instrument can be set to the same: controller chase.
///
/// It follows program and bank, controllers, pitch bend, channel pressure, and the registered parameters 0 to 5.
/// It leaves out what acts on sounding notes only (sostenuto, portamento control, key pressure), channel mode
/// messages, and parameters that are not registered.
///
/// Realtime: yes.
///
/// Source: *General MIDI 1*, "Power-up defaults"; RP-015 for Reset All Controllers; FluidSynth for the rest.
package struct ChannelChase: BitwiseCopyable, Sendable {
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// What a message has set since the instrument was reset.
  var known = KnownSettings()
  var program: UInt8 = 0
  /// The bank that was selected when the program was changed.
  var bank = Bank()
  var bend: UInt16 = 8192
  var pressure: UInt8 = 0
  var selection = ParameterSelection.none
  /// Registered parameters 0 to 5.
  var parameters = InlineArray<6, ParameterValue>(repeating: ParameterValue())
  /// The last CC 38, whichever parameter it was for: FluidSynth reads it again with the next CC 6.
  var dataFine: UInt8 = 0

  /// The number of registered parameters that are followed.
  static var parameterCount: Int { @_noLocks get { 6 } }

  @_noLocks package init() {
    controllers[7] = 100
    controllers[8] = 64
    controllers[10] = 64
    controllers[11] = 127
    controllers[43] = 127
    for controller in 70..<80 { controllers[controller] = 64 }
    parameters[0].coarse = 2
    parameters[1].coarse = 64
    parameters[2].coarse = 64
    parameters[5].fine = 64
    parameters[5].fineBefore = 64
  }

  /// Follows a message, whatever its channel.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    switch message.kind {
    case .programChange:
      program = message.data1
      bank = Bank(coarse: controllers[0], fine: controllers[32])
      known.program = true
      known.bank = known[0] || known[32]
    case .pitchBend:
      bend = message.bend
      known.bend = true
    case .channelPressure:
      pressure = message.data1
      known.pressure = true
    case .controlChange: follow(controller: message.data1, message.data2)
    case .noteOn, .noteOff, .keyPressure: break
    }
  }

  @_noLocks private mutating func follow(controller: UInt8, _ value: UInt8) {
    switch controller {
    case 101: selection = ParameterSelection(coarse: value, fine: selection.fine)
    case 100: selection = ParameterSelection(coarse: selection.coarse, fine: value)
    case 98, 99: selection = .none
    case 6, 38: enter(controller, value)
    case 121: resetControllers()
    default:
      if Self.isFollowed(controller) {
        controllers[Int(controller)] = value
        known[controller] = true
      }
    }
  }

  @_noLocks private mutating func enter(_ controller: UInt8, _ value: UInt8) {
    if controller == 38 { dataFine = value }
    guard let number = selection.registered else { return }
    known.parameters |= 1 << UInt8(number)
    if controller == 6 {
      parameters[number].coarse = value
      parameters[number].fineBefore = dataFine
    }
    parameters[number].fine = dataFine
  }

  /// Leaves a switch as it is in another.
  @_noLocks package mutating func keepSwitch(_ controller: UInt8, of other: ChannelChase) {
    controllers[Int(controller)] = other.controllers[Int(controller)]
    known[controller] = other.known[controller]
  }

  /// Controllers 64 to 69, which a player holds: sustain, portamento, sostenuto, soft, legato and hold 2.
  @_noLocks package static func isSwitch(_ controller: UInt8) -> Bool { 64...69 ~= controller }

  @_noLocks private static func isFollowed(_ controller: UInt8) -> Bool {
    switch controller {
    case 6, 38, 66, 84, 96...101, 120...127: false
    default: true
    }
  }
}

/// CC 0 and CC 32.
struct Bank: BitwiseCopyable {
  var coarse: UInt8 = 0
  var fine: UInt8 = 0

  @_noLocks init() {}

  @_noLocks init(coarse: UInt8, fine: UInt8) {
    self.coarse = coarse
    self.fine = fine
  }

  @_noLocks func isSame(as other: Bank) -> Bool { coarse == other.coarse && fine == other.fine }
}

/// The registered parameter that data entry is for: CC 101 and CC 100.
struct ParameterSelection: BitwiseCopyable {
  let coarse: UInt8
  let fine: UInt8

  @_noLocks init(coarse: UInt8, fine: UInt8) {
    self.coarse = coarse
    self.fine = fine
  }

  static var none: Self { @_noLocks get { Self(coarse: 127, fine: 127) } }

  /// The number of a parameter that is followed; `nil` of any other.
  var registered: Int? {
    @_noLocks get {
      coarse == 0 && Int(fine) < ChannelChase.parameterCount ? Int(fine) : nil
    }
  }

  @_noLocks func isSame(as other: Self) -> Bool { coarse == other.coarse && fine == other.fine }
}

/// What data entry has set a parameter to.
///
/// FluidSynth before 2.4 takes the low bits that it has when CC 6 comes; later versions, and most other
/// instruments, take those that come after it as well. Both are kept, so that either can be told the same again.
struct ParameterValue: BitwiseCopyable {
  var coarse: UInt8 = 0
  var fine: UInt8 = 0
  /// The low bits when CC 6 came.
  var fineBefore: UInt8 = 0

  @_noLocks init() {}

  @_noLocks func isSame(as other: Self) -> Bool {
    coarse == other.coarse && fine == other.fine && fineBefore == other.fineBefore
  }
}
