package import MIDICore

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
    var writer = ChaseWriter(channel: channel, target: target, selection: other.selection)
    var banks = Bank(coarse: other.controllers[0], fine: other.controllers[32])
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
    writer.dataFine = other.dataFine
    for number in 0..<Self.parameterCount
    where !parameters[number].isSame(as: other.parameters[number]) {
      writer.write(number, parameters[number])
    }
    writer.finish(with: selection, dataFine: dataFine)
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
    var writer = ChaseWriter(channel: channel, target: target, selection: .none)
    var isWaiting = known[0] || known[32]
    if known.program {
      if known.bank {
        writer.control(0, bank.coarse)
        writer.control(32, bank.fine)
        isWaiting = !bank.isSame(as: Bank(coarse: controllers[0], fine: controllers[32]))
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
    for number in 0..<Self.parameterCount where known.parameters & 1 << UInt8(number) != 0 {
      writer.write(number, parameters[number])
    }
    writer.finish(with: selection, dataFine: dataFine)
    if known.bend { writer.bend(bend) }
    if known.pressure { writer.write(.channelPressure, pressure) }
    return writer.count
  }
}

/// Writes the messages of one channel, and knows what parameter the instrument has selected meanwhile.
private struct ChaseWriter {
  let channel: UInt8
  let target: UnsafeMutablePointer<ChannelMessage>
  private(set) var count = 0
  private var selection: ParameterSelection
  /// The instrument's last CC 38.
  var dataFine: UInt8 = 0

  @_noLocks init(
    channel: UInt8, target: UnsafeMutablePointer<ChannelMessage>, selection: ParameterSelection
  ) {
    self.channel = channel
    self.target = target
    self.selection = selection
  }

  @_noLocks mutating func write(
    _ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0
  ) {
    target[count] = ChannelMessage(kind, channel: channel, data1, data2)
    count += 1
  }

  @_noLocks mutating func control(_ controller: UInt8, _ value: UInt8) {
    write(.controlChange, controller, value)
  }

  @_noLocks mutating func bend(_ bend: UInt16) {
    write(.pitchBend, UInt8(bend & 127), UInt8(bend >> 7 & 127))
  }

  /// The low bits come first for FluidSynth before 2.4, and last for those who clear them at CC 6.
  @_noLocks mutating func write(_ number: Int, _ value: ParameterValue) {
    select(ParameterSelection(coarse: 0, fine: UInt8(number)))
    if dataFine != value.fineBefore { control(38, value.fineBefore) }
    control(6, value.coarse)
    if value.fine != 0 || value.fineBefore != 0 { control(38, value.fine) }
    dataFine = value.fine
  }

  @_noLocks mutating func finish(with wanted: ParameterSelection, dataFine wantedFine: UInt8) {
    if dataFine != wantedFine {
      // With nothing selected it sets nothing else.
      select(.none)
      control(38, wantedFine)
      dataFine = wantedFine
    }
    select(wanted)
  }

  @_noLocks private mutating func select(_ wanted: ParameterSelection) {
    if selection.isSame(as: wanted) { return }
    control(101, wanted.coarse)
    control(100, wanted.fine)
    selection = wanted
  }
}
