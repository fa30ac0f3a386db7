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
  func writeSettings(channel: UInt8, to target: UnsafeMutablePointer<ChannelMessage>) -> Int {
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
