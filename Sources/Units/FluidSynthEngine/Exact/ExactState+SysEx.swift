import CFluidSynth

// System Exclusive and tuning: the control synth parses the messages, and the engine reads their effects from it.
extension ExactState {
  /// Handles a System Exclusive message.
  ///
  /// - Parameter bytes: The message without F0 and F7.
  @_noLocks mutating func handleSysEx(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int64) {
    if bytes.count < 4 { return }
    renderOverflow(upTo: frame)
    if sendSysEx(bytes, to: controlSynth) { return resetSystem(at: frame) }
    // GS may have changed a part to a drum kit, which may also reset its controllers.
    let isGS = bytes[0] == 0x41
    for channel in 0..<UInt8(16) {
      if isGS { synchronise(channel, at: frame) } else { readPreset(channel) }
    }
    if bytes[2] == 0x08 { updateTunings(bytes, at: frame) }
  }

  /// GM, GS or XG system on: ends every note and restores the initial state.
  @_noLocks private mutating func resetSystem(at frame: Int64) {
    setOverflowModes()
    for channel in 0..<UInt8(16) {
      samples.release(channel, key: nil)
      log?.silence(channel, at: frame)
      tuneControlSynth(channel)
      channels[Int(channel)].reset(controlSynth, channel: Int32(channel), library)
      markChanged(channel)
      send(.systemReset, toChannel: channel, at: frame)
    }
    effectsAdapter?.pointee.reset(at: frame, now: now)
  }

  /// Registered parameters 3 and 4: tuning program and tuning bank.
  @_noLocks mutating func selectTuning(_ channel: UInt8, at frame: Int64) {
    let state = channels + Int(channel)
    let controllers = state.pointee.state.controllers
    let value = controllers[Int(Controller.dataEntryMSB)]
    guard state.pointee.state.entry.isRegistered, controllers[101] == 0 else { return }
    if controllers[100] == 4 {
      state.pointee.tuningBank = Int32(value)
    } else if controllers[100] == 3 {
      state.pointee.tuning = PresetNumber(
        bank: state.pointee.tuningBank, program: Int32(value))
      readTuning(channel, soundingToo: true, at: frame)
    }
  }

  /// After a MIDI tuning message: updates the channels whose table has changed, and those for which an
  /// octave tuning was activated.
  @_noLocks private mutating func updateTunings(
    _ bytes: UnsafeBufferPointer<UInt8>, at frame: Int64
  ) {
    let isRealtime = bytes[0] == 0x7F
    let isOctave = bytes[3] == 0x08 || bytes[3] == 0x09
    if isOctave, bytes.count >= 7 {
      let mask = Int(bytes[4] & 3) << 14 | Int(bytes[5]) << 7 | Int(bytes[6])
      for channel in 0..<16 where mask >> channel & 1 == 1 {
        channels[channel].tuning = PresetNumber(bank: 0, program: 0)
      }
    }
    for channel in 0..<UInt8(16) where !(channels[Int(channel)].tuning == .none) {
      readTuning(channel, soundingToo: isRealtime, at: frame)
    }
  }

  /// Copies the active table from the control synth, and gives it a new number if it differs.
  @_noLocks private mutating func readTuning(
    _ channel: UInt8, soundingToo: Bool, at frame: Int64
  ) {
    let state = channels + Int(channel)
    let table = tunings.table(ofChannel: channel)
    // The default tuning is equal temperament, but playing without a tuning may differ from it by rounding.
    let isEqual = state.pointee.state.tuning == 0
    var differs = isEqual && !library.hasDefaultTuning
    if isEqual, library.hasDefaultTuning {
      for key in 0..<128 { table[key] = Double(key) * 100 }
    }
    withUnsafeTemporaryAllocation(
      byteCount: 128 * MemoryLayout<Double>.size, alignment: MemoryLayout<Double>.alignment
    ) { memory in
      let fresh = memory.baseAddress!.assumingMemoryBound(to: Double.self)
      // A tuning that was never set is equal temperament.
      for key in 0..<128 { fresh[key] = Double(key) * 100 }
      let tuning = state.pointee.tuning
      fluid_synth_tuning_dump(controlSynth, tuning.bank, tuning.program, nil, 0, fresh)
      for key in 0..<128 where table[key] != fresh[key] {
        table[key] = fresh[key]
        differs = true
      }
    }
    guard differs else { return }
    lastTuning += 1
    state.pointee.state.tuning = lastTuning * 16 + UInt32(channel)
    markChanged(channel)
    if soundingToo {
      let number = state.pointee.state.tuning
      send(.tuning(number), toChannel: channel, at: frame)
    }
  }
}
