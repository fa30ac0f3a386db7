import CFluidSynth

// Values set by messages for which the control synth has no getter.
extension ExactState {
  /// Tracks parameter selection, data entry and portamento time. Must be called directly after the control
  /// synth has received the controller.
  @_noLocks mutating func trackDataEntry(_ channel: UInt8, number: UInt8, at frame: Int64) {
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
      send(.bendRange(range), toChannel: channel, at: frame)
    case .parameter(let number, let value):
      state.pointee.parameters.enter(number, value)
      send(.parameter(number: number, value: value), toChannel: channel, at: frame)
    }
    markChanged(channel)
  }

  /// Adopts values that were set in the control synth by other means than messages.
  @_noLocks mutating func adopt(_ tracked: StockChannel, _ channel: UInt8) {
    let state = channels[Int(channel)].state
    if tracked.bendRange != state.pointee.bendRange {
      state.pointee.bendRange = tracked.bendRange
      send(.bendRange(tracked.bendRange), toChannel: channel, at: now)
    }
    if state.pointee.parameters.exceeds(tracked.parameters) {
      send(.control(number: Controller.resetAll, value: 0), toChannel: channel, at: now)
      state.pointee.parameters.resetControllers()
    }
    for number in 0..<EnteredParameters.count where EnteredParameters.keeps(number) {
      let value = tracked.parameters[number]
      if value == state.pointee.parameters[number] { continue }
      send(.parameter(number: number, value: value), toChannel: channel, at: now)
    }
    state.pointee.parameters = tracked.parameters
    markChanged(channel)
  }

  /// After the first portamento time LSB, the portamento times of all channels are linear with 14 bits,
  /// until a system reset.
  @_noLocks private mutating func makePortamentoTimeLinear(at frame: Int64) {
    if channels[0].state.pointee.isPortamentoTimeLinear { return }
    for channel in 0..<UInt8(16) {
      channels[Int(channel)].state.pointee.isPortamentoTimeLinear = true
      markChanged(channel)
      send(.linearPortamentoTime, toChannel: channel, at: frame)
    }
  }
}
