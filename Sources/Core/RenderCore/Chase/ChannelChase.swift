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

extension ChannelChase {
  /// The maximum number of messages that ``writeDifference(from:channel:to:)`` or ``writeSettings(channel:to:)``
  /// writes.
  package static var maximumMessages: Int { @_noLocks get { 256 } }

  /// Writes the messages that bring an instrument from the settings of `other` to these settings.
  ///
  /// - Parameter target: Memory for ``maximumMessages`` messages.
  /// - Returns: The number of messages written.
  @_noLocks package func writeDifference(
    from other: ChannelChase, channel: UInt8, to target: UnsafeMutablePointer<ChannelMessage>
  ) -> Int {
    var writer = ChaseWriter(
      channel: channel, target: target, selection: other.selection, data: other.data,
      selectedData: other.selectedData)
    var banks = ControllerPair(coarse: other.controllers[0], fine: other.controllers[32])
    if program != other.program || !bank.isSame(as: other.bank) {
      writer.control(0, bank.coarse)
      writer.control(32, bank.fine)
      writer.write(.programChange, program)
      banks = bank
    }
    // A bank select takes effect with the next program change, and may be pending.
    if controllers[0] != banks.coarse { writer.control(0, controllers[0]) }
    if controllers[32] != banks.fine { writer.control(32, controllers[32]) }
    for controller in UInt8(1)..<120 where controller != 32 {
      let value = controllers[Int(controller)]
      if value != other.controllers[Int(controller)] { writer.control(controller, value) }
    }
    var changed: UInt8 = 0
    for number in 0..<Self.parameterCount
    where !parameters[number].isSame(as: other.parameters[number]) {
      changed |= 1 << UInt8(number)
    }
    writeParameters(changed, coarseBefore: other.known.coarseParameters, to: &writer)
    if bend != other.bend { writer.bend(bend) }
    if pressure != other.pressure { writer.write(.channelPressure, pressure) }
    return writer.count
  }

  /// Writes the messages that bring a new instrument to the settings that messages have made. Switches are left out,
  /// because the player holds them, as the keys.
  ///
  /// - Parameter target: Memory for ``maximumMessages`` messages.
  /// - Returns: The number of messages written.
  @_noLocks func writeSettings(channel: UInt8, to target: UnsafeMutablePointer<ChannelMessage>)
    -> Int
  {
    var writer = ChaseWriter(channel: channel, target: target)
    var isBankPending = known[0] || known[32]
    if known.program {
      if known.bank {
        writer.control(0, bank.coarse)
        writer.control(32, bank.fine)
        let selected = ControllerPair(coarse: controllers[0], fine: controllers[32])
        isBankPending = !bank.isSame(as: selected)
      }
      writer.write(.programChange, program)
    }
    if isBankPending {
      if known[0] { writer.control(0, controllers[0]) }
      if known[32] { writer.control(32, controllers[32]) }
    }
    for controller in UInt8(1)..<120
    where controller != 32 && known[controller] && !Self.isSwitch(controller) {
      writer.control(controller, controllers[Int(controller)])
    }
    writeParameters(known.parameters, coarseBefore: 0, to: &writer)
    if known.bend { writer.bend(bend) }
    if known.pressure { writer.write(.channelPressure, pressure) }
    return writer.count
  }

  /// Writes registered parameters, and then the selection and data entry with which the instrument combines later
  /// messages.
  ///
  /// - Parameters:
  ///   - changed: One bit for each parameter that must be written.
  ///   - coarseBefore: One bit for each parameter that CC 6 has entered in the instrument.
  @_noLocks private func writeParameters(
    _ changed: UInt8, coarseBefore: UInt8, to writer: inout ChaseWriter
  ) {
    let coarse = known.coarseParameters | coarseBefore
    for number in 0..<Self.parameterCount
    where changed & 1 << UInt8(number) != 0 && selection.registered != number {
      writer.enter(number, parameters[number], coarse & 1 << UInt8(number) != 0)
    }
    // The selected parameter comes last, so that it stays selected with its data entry.
    if let number = selection.registered {
      let bit: UInt8 = 1 << UInt8(number)
      if changed & bit != 0
        || known.parameters & bit != 0 && !writer.isFinished(selection, data, selectedData)
      {
        writer.enter(number, parameters[number], coarse & bit != 0)
      }
    }
    writer.finish(with: selection, data, selectedData)
  }
}

extension ChannelChase {
  /// Performs Reset All Controllers as FluidSynth does. This differs from RP-015: balance is kept, all other
  /// controllers are reset, and so is the tuning by registered parameters 1 and 2, which FluidSynth stores in its
  /// generators.
  ///
  /// Source: *Response to Reset All Controllers*, RP-015; FluidSynth 2.3.1, `fluid_channel_init_ctrl`.
  @_noLocks private mutating func resetControllers() {
    let fresh = ChannelChase()
    for controller in UInt8(0)..<120 where !Self.survivesReset(controller) {
      controllers[Int(controller)] = fresh.controllers[Int(controller)]
      known[controller] = false
    }
    for number in 1...2 {
      parameters[number] = fresh.parameters[number]
      known.parameters &= ~(1 << UInt8(number))
      known.coarseParameters &= ~(1 << UInt8(number))
    }
    bend = fresh.bend
    known.bend = false
    pressure = 0
    known.pressure = false
    selection = ParameterSelection()
    data = ControllerPair()
    selectedData = ControllerPair()
  }

  /// Returns whether a controller keeps its value: bank, volume, balance and pan with their fine controllers, sound
  /// controllers, and effect depths.
  @_noLocks private static func survivesReset(_ controller: UInt8) -> Bool {
    switch controller {
    case 0, 32, 7, 8, 10, 39, 40, 42, 70...79, 91...95: true
    default: false
    }
  }
}

/// The settings of a channel that a message has set. An instrument's initial settings may differ from the usual ones,
/// for example those of a port with its own preset. Settings that no message has set are therefore not sent.
struct KnownSettings: BitwiseCopyable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  var program = false
  /// Whether a bank was selected before the program.
  var bank = false
  var bend = false
  var pressure = false
  /// One bit for each registered parameter that data entry has set.
  var parameters: UInt8 = 0
  /// One bit for each registered parameter that CC 6 has set.
  fileprivate var coarseParameters: UInt8 = 0

  @_noLocks init() {}

  subscript(controller: UInt8) -> Bool {
    @_noLocks get {
      (controller < 64 ? low : high) & Self.bit(controller) != 0
    }
    @_noLocks set {
      let bit = Self.bit(controller)
      if controller < 64 {
        low = newValue ? low | bit : low & ~bit
      } else {
        high = newValue ? high | bit : high & ~bit
      }
    }
  }

  @_noLocks private static func bit(_ controller: UInt8) -> UInt64 {
    1 << UInt64(controller & 63)
  }
}
