/// The settings of one MIDI channel, from which another instrument can be brought to the same settings (controller
/// chase).
///
/// The settings are program and bank, controllers, pitch bend, channel pressure, and registered parameters 0 to 5.
/// Messages that only act on sounding notes (sostenuto, portamento control, key pressure), channel mode messages and
/// non-registered parameters are ignored.
///
/// Realtime: yes.
///
/// Source: *General MIDI 1*, "Power-up defaults"; RP-015 for Reset All Controllers; FluidSynth for the rest.
package struct ChannelChase: BitwiseCopyable, Sendable {
  var controllers = InlineArray<128, UInt8>(repeating: 0)
  /// The settings that a message has made since the instrument was reset.
  var known = KnownSettings()
  var program: UInt8 = 0
  /// CC 0 and CC 32 at the last program change.
  var bank = ControllerPair()
  var bend: UInt16 = 8192
  var pressure: UInt8 = 0
  var selection = ParameterSelection()
  /// Registered parameters 0 to 5.
  var parameters = InlineArray<6, ParameterValue>(repeating: ParameterValue(ControllerPair()))
  /// The last CC 6 and CC 38 for any parameter.
  var data = ControllerPair()
  /// CC 6 and CC 38 since the last parameter selection.
  var selectedData = ControllerPair()

  /// The number of registered parameters that are tracked.
  static var parameterCount: Int { @_noLocks get { 6 } }

  @_noLocks package init() {
    controllers[7] = 100
    controllers[8] = 64
    controllers[10] = 64
    controllers[11] = 127
    controllers[43] = 127
    for controller in 70..<80 { controllers[controller] = 64 }
    parameters[0] = ParameterValue(ControllerPair(coarse: 2, fine: 0))
    parameters[1] = ParameterValue(ControllerPair(coarse: 64, fine: 0))
    parameters[2] = ParameterValue(ControllerPair(coarse: 64, fine: 0))
    parameters[5] = ParameterValue(ControllerPair(coarse: 0, fine: 64))
  }

  /// Updates the settings from a message. The message's channel is ignored.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    switch message.kind {
    case .programChange:
      program = message.data1
      bank = ControllerPair(coarse: controllers[0], fine: controllers[32])
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
    case 101: select(ParameterSelection(coarse: value, fine: selection.fine))
    case 100: select(ParameterSelection(coarse: selection.coarse, fine: value))
    case 98, 99:
      selection.isRegistered = false
      selectedData = ControllerPair()
    case 6, 38: enter(controller, value)
    case 121: resetControllers()
    default:
      if Self.isFollowed(controller) {
        controllers[Int(controller)] = value
        known[controller] = true
      }
    }
  }

  @_noLocks private mutating func select(_ selection: ParameterSelection) {
    self.selection = selection
    selectedData = ControllerPair()
  }

  @_noLocks private mutating func enter(_ controller: UInt8, _ value: UInt8) {
    data.enter(controller, value)
    selectedData.enter(controller, value)
    guard let number = selection.registered else { return }
    known.parameters |= 1 << UInt8(number)
    if controller == 6 {
      known.coarseParameters |= 1 << UInt8(number)
      parameters[number].atCoarse = data
    }
    parameters[number].atEither = data
    parameters[number].sinceSelection = selectedData
  }

  /// Copies the state of a switch from `other`.
  @_noLocks package mutating func keepSwitch(_ controller: UInt8, of other: ChannelChase) {
    controllers[Int(controller)] = other.controllers[Int(controller)]
    known[controller] = other.known[controller]
  }

  /// Returns whether a controller is a switch that a player holds, 64 to 69: sustain, portamento, sostenuto, soft,
  /// legato and hold 2.
  @_noLocks package static func isSwitch(_ controller: UInt8) -> Bool { 64...69 ~= controller }

  @_noLocks private static func isFollowed(_ controller: UInt8) -> Bool {
    switch controller {
    case 6, 38, 66, 84, 96...101, 120...127: false
    default: true
    }
  }
}
