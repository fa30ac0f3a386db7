extension ChannelChase {
  /// The most messages that ``writeDifference(from:channel:to:)`` or ``writeSettings(channel:to:)`` makes.
  package static var maximumMessages: Int { @_noLocks get { 256 } }

  /// Writes what sets an instrument to this that is set to `other`.
  ///
  /// - Parameter target: Room for ``maximumMessages``.
  /// - Returns: How many messages there are.
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
    // A bank acts with the next program only, and may be waiting for it.
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

  /// Writes what has been set since the beginning, for an instrument that is new. Switches are left out, for
  /// they are held, and the keys with them.
  ///
  /// - Parameter target: Room for ``maximumMessages``.
  /// - Returns: How many messages there are.
  func writeSettings(channel: UInt8, to target: UnsafeMutablePointer<ChannelMessage>) -> Int {
    var writer = ChaseWriter(channel: channel, target: target)
    var isWaiting = known[0] || known[32]
    if known.program {
      if known.bank {
        writer.control(0, bank.coarse)
        writer.control(32, bank.fine)
        isWaiting = !bank.isSame(as: ControllerPair(coarse: controllers[0], fine: controllers[32]))
      }
      writer.write(.programChange, program)
    }
    if isWaiting {
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

  /// Writes parameters, and leaves the instrument to combine later messages as it should.
  ///
  /// - Parameters:
  ///   - changed: A bit for each parameter that must be written.
  ///   - coarseBefore: A bit for each that CC 6 has entered in the instrument.
  @_noLocks private func writeParameters(
    _ changed: UInt8, coarseBefore: UInt8, to writer: inout ChaseWriter
  ) {
    let coarse = known.coarseParameters | coarseBefore
    for number in 0..<Self.parameterCount
    where changed & 1 << UInt8(number) != 0 && selection.registered != number {
      writer.enter(number, parameters[number], coarse & 1 << UInt8(number) != 0)
    }
    // The one that is selected comes last, and stays selected with what was entered.
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
