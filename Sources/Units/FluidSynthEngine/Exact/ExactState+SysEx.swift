import CFluidSynth
import RenderCore

// System Exclusive and tuning. The control synth parses messages of the MIDI tuning standard, and in the bank style
// `library` all messages; the engine reads their effects from it.
extension ExactState {
  /// Handles a System Exclusive message.
  ///
  /// - Parameter bytes: The message without F0 and F7.
  @_noLocks mutating func handleSysEx(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int64) {
    if bytes.count < 4 { return }
    renderOverflow(upTo: frame)
    if module.isPassive { return handleInLibrary(bytes, at: frame) }
    var message = SystemExclusive(bytes)
    var scales: UInt16 = 0
    while let meaning = message.next() {
      switch module.follow(meaning) {
      case .nothing: break
      case .reset:
        fluid_synth_system_reset(controlSynth)
        resetSystem(at: frame)
        scales = 0
      case .masterGain: masterGain.pointee.set(module.settings.master.gain, at: frame)
      case .masterTuning: for part in 0..<UInt8(16) { tune(part, at: frame) }
      case .tuning(let part): tune(part, at: frame)
      case .scale(let part): scales |= 1 << UInt16(part)
      case .effects: setEffectFactors(at: frame)
      case .library:
        sendTuning(bytes, to: controlSynth)
        updateTunings(bytes, at: frame)
      }
      var index = 0
      while let message = module.message(index, of: meaning) {
        requestPresets(for: message)
        handle(message, isFirst: true, at: frame)
        index += 1
      }
    }
    for part in 0..<UInt8(16) where scales >> UInt16(part) & 1 == 1 {
      setScale(of: part, at: frame)
    }
  }

  /// Restores what System Exclusive has set, as a saved state does.
  @_noLocks mutating func restore(_ settings: ModuleSettings) {
    let before = module.settings
    module.restore(settings)
    masterGain.pointee.set(settings.master.gain, at: now)
    setEffectFactors(at: now)
    for part in 0..<UInt8(16) {
      tune(part, at: now)
      if !settings[part].hasScale(of: before[part]) { setScale(of: part, at: now) }
    }
  }

  @_noLocks private func setEffectFactors(at frame: Int64) {
    effectsAdapter?.pointee.setFactors(module.settings.effects, at: frame, now: now)
  }

  /// Sets the scale tuning of a part, in a tuning of its own.
  @_noLocks private mutating func setScale(of part: UInt8, at frame: Int64) {
    let tuning = SoundModule.scaleTuning(of: part)
    // Many songs set a scale of zeros, in which a key may differ from one without a tuning by rounding.
    if !module.hasScale(part), !(channels[Int(part)].tuning == tuning) { return }
    module.applyScale(of: part, to: controlSynth, soundingToo: true)
    channels[Int(part)].tuning = tuning
    readTuning(part, soundingToo: true, at: frame)
  }

  @_noLocks private mutating func handleInLibrary(
    _ bytes: UnsafeBufferPointer<UInt8>, at frame: Int64
  ) {
    let isReset = sendSysEx(bytes, to: controlSynth)
    module.readRequests(from: controlSynth)
    if isReset { return resetSystem(at: frame) }
    // GS may have changed a part to a drum kit, which may also reset its controllers.
    let isGS = bytes[0] == 0x41
    for channel in 0..<UInt8(16) {
      if isGS { synchronise(channel, at: frame) } else { readPreset(channel) }
    }
    if bytes[2] == 0x08 { updateTunings(bytes, at: frame) }
  }

  /// After a reset of the control synth: ends every note and restores the initial state.
  @_noLocks private mutating func resetSystem(at frame: Int64) {
    setOverflowModes()
    masterGain.pointee.set(module.settings.master.gain, at: frame)
    setEffectFactors(at: frame)
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
