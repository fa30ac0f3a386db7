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
  /// CC 0 and CC 32 when the program was changed.
  var bank = ControllerPair()
  var bend: UInt16 = 8192
  var pressure: UInt8 = 0
  var selection = ParameterSelection()
  /// Registered parameters 0 to 5.
  var parameters = InlineArray<6, ParameterValue>(repeating: ParameterValue(ControllerPair()))
  /// The last CC 6 and CC 38, whichever parameter they were for.
  var data = ControllerPair()
  /// CC 6 and CC 38 since the last selection of a parameter.
  var selectedData = ControllerPair()

  /// The number of registered parameters that are followed.
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

  /// Follows a message, whatever its channel.
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
