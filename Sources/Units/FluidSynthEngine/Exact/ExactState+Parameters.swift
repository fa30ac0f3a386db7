import CFluidSynth

// What messages set that the director cannot be asked for.
extension ExactState {
  /// Follows parameter selection, data entry and portamento time, right after the director received the
  /// controller.
  @_noLocks mutating func followEntry(_ channel: UInt8, number: UInt8, at frame: Int64) {
    switch number {
    case 98, 99: channels[Int(channel)].isNRPN = true
    case 100, 101: channels[Int(channel)].isNRPN = false
    case Controller.portamentoTimeLSB where library.hasPortamentoTimeModes:
      makePortamentoTimeLinear(at: frame)
    default: if library.enters(data: number) { enterData(channel, at: frame) }
    }
  }

  @_noLocks private mutating func enterData(_ channel: UInt8, at frame: Int64) {
    let state = channels[Int(channel)].state
    let entry = ParameterEntry(
      of: controlSynth, channel: Int32(channel), isNRPN: channels[Int(channel)].isNRPN, library)
    switch entry {
    case .nothing: return
    case .bendRange(let range):
      if state.pointee.bendRange == range { return }
      state.pointee.bendRange = range
      tellAll(channel, .bendRange(range), at: frame)
    case .parameter(let number, let value):
      state.pointee.parameters.enter(number, value)
      tellAll(channel, .parameter(number: number, value: value), at: frame)
    }
    touch(channel)
  }

  /// Takes over what the director was told by others than messages.
  @_noLocks mutating func adopt(_ known: StockChannel, _ channel: UInt8) {
    let state = channels[Int(channel)].state
    if known.bendRange != state.pointee.bendRange {
      state.pointee.bendRange = known.bendRange
      tellAll(channel, .bendRange(known.bendRange), at: now)
    }
    if state.pointee.parameters.exceeds(known.parameters) {
      tellAll(channel, .control(number: Controller.resetAll, value: 0), at: now)
      state.pointee.parameters.resetControllers()
    }
    for number in 0..<EnteredParameters.count where EnteredParameters.keeps(number) {
      let value = known.parameters[number]
      if value == state.pointee.parameters[number] { continue }
      tellAll(channel, .parameter(number: number, value: value), at: now)
    }
    state.pointee.parameters = known.parameters
    touch(channel)
  }

  /// From the first lower half of a portamento time on, until a system reset, all channels' times have 14 bits.
  @_noLocks private mutating func makePortamentoTimeLinear(at frame: Int64) {
    if channels[0].state.pointee.isPortamentoTimeLinear { return }
    for channel in 0..<UInt8(16) {
      channels[Int(channel)].state.pointee.isPortamentoTimeLinear = true
      touch(channel)
      tellAll(channel, .linearPortamentoTime, at: frame)
    }
  }
}
