import CFluidSynth

// Values set by messages for which the control synth has no getter.
extension ExactState {
  /// Tracks parameter selection, data entry and portamento time. Must be called directly after the control
  /// synth has received the controller.
  @_noLocks mutating func trackDataEntry(_ channel: UInt8, number: UInt8, at frame: Int64) {
    if number == Controller.portamentoTimeLSB, library.hasPortamentoTimeModes {
      makePortamentoTimeLinear(at: frame)
    }
    let entry = channels[Int(channel)].state.entry.follow(
      number, controlSynth, channel: Int32(channel), library)
    switch entry {
    case .nothing: return
    case .bendRange(let range): send(.bendRange(range), toChannel: channel, at: frame)
    case .parameter(let number, let value):
      send(.parameter(number: number, value: value), toChannel: channel, at: frame)
    }
    markChanged(channel)
  }

  /// Adopts values that were set in the control synth by other means than messages.
  @_noLocks mutating func adopt(_ tracked: DataEntry, _ channel: UInt8) {
    let state = channels + Int(channel)
    if tracked.bendRange != state.pointee.state.entry.bendRange {
      send(.bendRange(tracked.bendRange), toChannel: channel, at: now)
    }
    if state.pointee.state.entry.parameters.exceeds(tracked.parameters) {
      send(.control(number: Controller.resetAll, value: 0), toChannel: channel, at: now)
      state.pointee.state.entry.parameters.resetControllers()
    }
    for number in 0..<EnteredParameters.count where EnteredParameters.keeps(number) {
      let value = tracked.parameters[number]
      if value == state.pointee.state.entry.parameters[number] { continue }
      send(.parameter(number: number, value: value), toChannel: channel, at: now)
    }
    state.pointee.state.entry = tracked
    markChanged(channel)
  }

  /// After the first portamento time LSB, the portamento times of all channels are linear with 14 bits,
  /// until a system reset.
  @_noLocks private mutating func makePortamentoTimeLinear(at frame: Int64) {
    if channels[0].state.isPortamentoTimeLinear { return }
    for channel in 0..<UInt8(16) {
      channels[Int(channel)].state.isPortamentoTimeLinear = true
      markChanged(channel)
      send(.linearPortamentoTime, toChannel: channel, at: frame)
    }
  }
}
