import CFluidSynth
import RenderCore

// Applies a message: first to the control synth, then to the channel state, then to the lanes.
extension ExactState {
  /// Handles a message of a MIDI channel: each part that plays the channel handles it.
  @_noLocks mutating func handle(_ message: ChannelMessage, at frame: Int64) {
    requestPresets(for: message)
    var parts = module.parts(playing: message.channel)
    if parts == 0, message.startsNote { countNote(message, at: frame) }
    var isFirst = true
    while parts != 0 {
      let part = UInt8(parts.trailingZeroBitCount)
      parts &= parts - 1
      handle(module.message(message, for: part), isFirst: isFirst, at: frame)
      isFirst = false
    }
  }

  /// Handles a message of a part.
  ///
  /// - Parameter isFirst: `false` if another part has handled the message, so that its note has been counted.
  @_noLocks mutating func handle(_ message: ChannelMessage, isFirst: Bool = true, at frame: Int64) {
    let channel = message.channel
    let state = channels + Int(channel)
    lanes.renderOverflow(upTo: frame)
    switch message.kind {
    case .noteOn where message.data2 > 0:
      noteOn(
        channel, key: message.data1, velocity: message.data2, isFirst: isFirst, at: frame)
    case .noteOn, .noteOff:
      noteOff(channel, key: message.data1, at: frame)
    case .controlChange:
      control(channel, number: message.data1, value: message.data2, at: frame)
      module.select(message, in: controlSynth)
    case .programChange:
      module.select(message, in: controlSynth)
      readPreset(channel)
    case .pitchBend:
      fluid_synth_pitch_bend(controlSynth, Int32(channel), Int32(message.bend))
      state.pointee.state.bend = Int32(message.bend)
      markChanged(channel)
      lanes.send(.bend(Int32(message.bend)), toChannel: channel, at: frame)
    case .channelPressure:
      state.pointee.state.pressure = message.data1
      fluid_synth_channel_pressure(controlSynth, Int32(channel), Int32(message.data1))
      markChanged(channel)
      lanes.send(.pressure(message.data1), toChannel: channel, at: frame)
    case .keyPressure:
      // Not part of the channel's revision: ``Lane/update(to:key:tunings:tables:)`` always
      // compares the pressure of its key.
      state.pointee.state.keyPressures[Int(message.data1)] = message.data2
      fluid_synth_key_pressure(
        controlSynth, Int32(channel), Int32(message.data1), Int32(message.data2))
      lanes.send(
        .keyPressure(key: message.data1, value: message.data2), toChannel: channel, at: frame)
    }
  }

  @_noLocks private mutating func control(
    _ channel: UInt8, number: UInt8, value: UInt8, at frame: Int64
  ) {
    // A disabled channel may control the mono group above it: the "global channel" of MIDI mode 4.
    let next = Int32(channel + 1) % 16
    let group = ChannelGroup(of: controlSynth, channel: next)
    var isAccepted = true
    if number != Controller.portamentoControl {
      let setsGenerators = library.setsGenerators(number)
      if setsGenerators { offsets.remove(from: controlSynth, reachedFrom: channel) }
      isAccepted = channels[Int(channel)].state.entry.send(
        number, value, to: controlSynth, channel: Int32(channel), library)
      if setsGenerators { offsets.add(to: controlSynth, reachedFrom: channel) }
    }
    if channels[Int(channel)].isEnabled {
      applyController(channel, number: number, value: value, isAccepted: isAccepted, at: frame)
      return
    }
    guard group.basic == next, group.mode == Int32(FLUID_CHANNEL_MODE_OMNIOFF_MONO.rawValue)
    else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      applyController(UInt8(member), number: number, value: value, isAccepted: true, at: frame)
    }
  }

  /// Applies a controller to a channel, after the control synth has received it.
  ///
  /// - Parameter isAccepted: Whether the control synth accepted the controller. It rejects a mode change on
  ///   a channel that is not the first of its group.
  @_noLocks private mutating func applyController(
    _ channel: UInt8, number: UInt8, value: UInt8, isAccepted: Bool, at frame: Int64
  ) {
    let state = channels + Int(channel)
    switch number {
    case Controller.resetAll:
      tuneControlSynth(channel)
      state.pointee.state.readAfterReset(controlSynth, channel: Int32(channel))
      markChanged(channel)
      lanes.send(.control(number: number, value: value), toChannel: channel, at: frame)
      for index in 0..<GeneratorOffsets.count where offsets.values[index] != 0 {
        sendGenerator(index, channel, at: frame)
      }
      lift(.sustain, channel)
      lift(.sostenuto, channel)
      logController(channel, number: number, value: value, at: frame)
    case Controller.allNotesOff, Controller.allSoundOff:
      endNotes(channel, by: number, at: frame)
    case 124...127:
      readModes(at: frame)
      if isAccepted { endNotes(ofGroupOf: channel, at: frame) }
    case _ where library.enters(data: number):
      trackDataEntry(channel, number: number, at: frame)
      synchronise(channel, at: frame)
      selectTuning(channel, at: frame)
    case Controller.portamentoControl:
      // For the next note only, which reads it.
      state.pointee.state.controllers[Int(number)] = value
    default:
      state.pointee.state.controllers[Int(number)] = value
      markChanged(channel)
      trackSwitches(channel, number: number, value: value)
      trackDataEntry(channel, number: number, at: frame)
      if Controller.reachesVoices(number) {
        lanes.send(.control(number: number, value: value), toChannel: channel, at: frame)
      }
      logController(channel, number: number, value: value, at: frame)
    }
  }

  /// Updates the engine's state of switch controllers: pedals, legato, portamento.
  @_noLocks private mutating func trackSwitches(_ channel: UInt8, number: UInt8, value: UInt8) {
    let state = channels + Int(channel)
    switch number {
    case Controller.sustain:
      if value < 64 { lift(.sustain, channel) }
    case Controller.sostenuto:
      if value < 64 { return lift(.sostenuto, channel) }
      lanes.forEach(of: channel) { lane in
        lane.pointee.isCaptured = lane.pointee.hold != .nothing
      }
    case Controller.legato:
      if value < 64, !state.pointee.isMonoMode { state.pointee.keys.keepLast() }
    case Controller.portamento: state.pointee.keys.endGlide(value >= 64)
    default: break
    }
  }

  /// Releases the notes that only a pedal holds.
  @_noLocks private func lift(_ pedal: Lane.Hold, _ channel: UInt8) {
    lanes.forEach(of: channel) { lane in
      if lane.pointee.hold == pedal { lane.pointee.hold = .nothing }
    }
  }

  @_noLocks private mutating func endNotes(_ channel: UInt8, by number: UInt8, at frame: Int64) {
    samples.release(channel, key: nil)
    channels[Int(channel)].forgetNotes()
    logEnd(channel, by: number, at: frame)
    lanes.send(.control(number: number, value: 0), toChannel: channel, at: frame)
    lanes.forEach(of: channel) { lane in
      if number == Controller.allSoundOff {
        lane.pointee.hold = .nothing
        lane.pointee.isEnded = true
      } else if lane.pointee.hold != .nothing {
        release(lane)
      }
    }
  }

  /// Ends the notes of all channels of the group that begins with `channel`. A mode change does so even if
  /// the mode stays the same (MIDI 1.0, "Channel Mode Messages").
  @_noLocks private mutating func endNotes(ofGroupOf channel: UInt8, at frame: Int64) {
    let group = ChannelGroup(of: controlSynth, channel: Int32(channel))
    guard group.basic == Int32(channel) else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      endNotes(UInt8(member), by: Controller.allNotesOff, at: frame)
    }
  }

  /// Reads the channel state from the control synth after a message with effects that are hard to predict,
  /// and sends the differences to the lanes.
  @_noLocks private mutating func synchronise(_ channel: UInt8, at frame: Int64) {
    let state = channels + Int(channel)
    var fresh = state.pointee.state
    fresh.read(from: controlSynth, channel: Int32(channel))
    for number in 0..<UInt8(120) where Controller.reachesVoices(number) {
      let value = fresh.controllers[Int(number)]
      if value != state.pointee.state.controllers[Int(number)], value < 128 {
        lanes.send(.control(number: number, value: value), toChannel: channel, at: frame)
      }
    }
    for generator in 0..<ChannelState.generatorCount
    where fresh.generators[generator] != state.pointee.state.generators[generator] {
      lanes.send(
        .generator(Int32(generator), fresh.generators[generator]), toChannel: channel, at: frame)
    }
    if fresh.bend != state.pointee.state.bend {
      lanes.send(.bend(fresh.bend), toChannel: channel, at: frame)
    }
    if fresh.entry.bendRange != state.pointee.state.entry.bendRange {
      lanes.send(.bendRange(fresh.entry.bendRange), toChannel: channel, at: frame)
    }
    fresh.controllers[Int(Controller.portamentoControl)] =
      state.pointee.state.controllers[Int(Controller.portamentoControl)]
    state.pointee.state = fresh
    markChanged(channel)
  }

  @_noLocks mutating func readPreset(_ channel: UInt8) {
    channels[Int(channel)].state.readPreset(from: controlSynth, channel: Int32(channel))
    markChanged(channel)
  }

  /// After an omni, mono or poly message: updates which channels are enabled and which are monophonic.
  ///
  /// Ends the notes of channels that become disabled, because no note-off will reach them. In FluidSynth
  /// such notes continue.
  @_noLocks private mutating func readModes(at frame: Int64) {
    for channel in 0..<UInt8(16) {
      let group = ChannelGroup(of: controlSynth, channel: Int32(channel))
      let (isEnabled, isMono) = (group.basic >= 0, group.isMono)
      let state = channels + Int(channel)
      if state.pointee.isEnabled != isEnabled || state.pointee.isMonoMode != isMono {
        if !isEnabled {
          fluid_synth_all_notes_off(controlSynth, Int32(channel))
          // The channel will receive no pedal-up message either.
          lanes.send(.control(number: Controller.sustain, value: 0), toChannel: channel, at: frame)
          lanes.send(
            .control(number: Controller.sostenuto, value: 0), toChannel: channel, at: frame)
        }
        endNotes(channel, by: Controller.allNotesOff, at: frame)
        if !isEnabled { log?.silence(channel, at: frame) }
      }
      state.pointee.isEnabled = isEnabled
      state.pointee.isMonoMode = isMono
    }
    changedChannels = .max
  }
}

// System Exclusive and tuning. The control synth parses messages of the MIDI tuning standard, and in the bank style
// `library` all messages; the engine reads their effects from it.
extension ExactState {
  /// Handles a System Exclusive message.
  ///
  /// - Parameter bytes: The message without F0 and F7.
  @_noLocks mutating func handleSysEx(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int64) {
    if bytes.count < 4 { return }
    lanes.renderOverflow(upTo: frame)
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
    masterGain.pointee.set(settings.master.gain, at: lanes.now)
    setEffectFactors(at: lanes.now)
    for part in 0..<UInt8(16) {
      tune(part, at: lanes.now)
      if !settings[part].hasScale(of: before[part]) { setScale(of: part, at: lanes.now) }
    }
  }

  @_noLocks private func setEffectFactors(at frame: Int64) {
    effectsAdapter?.pointee.setFactors(module.settings.effects, at: frame, now: lanes.now)
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
    for channel in 0..<Int32(16) { offsets.remove(from: controlSynth, channel: channel) }
    let isReset = sendSysEx(bytes, to: controlSynth)
    module.readRequests(from: controlSynth)
    if isReset { return resetSystem(at: frame) }
    // GS may have changed a part to a drum kit, which may also reset its controllers.
    let isGS = bytes[0] == 0x41
    for channel in 0..<UInt8(16) {
      restoreParameters(channel)
      if isGS { synchronise(channel, at: frame) } else { readPreset(channel) }
    }
    if bytes[2] == 0x08 { updateTunings(bytes, at: frame) }
  }

  /// After a reset of the control synth: ends every note and restores the initial state.
  @_noLocks private mutating func resetSystem(at frame: Int64) {
    overflow.setModes()
    masterGain.pointee.set(module.settings.master.gain, at: frame)
    setEffectFactors(at: frame)
    for channel in 0..<UInt8(16) {
      samples.release(channel, key: nil)
      log?.silence(channel, at: frame)
      restoreParameters(channel)
      channels[Int(channel)].reset(controlSynth, channel: Int32(channel), library)
      markChanged(channel)
      lanes.send(.systemReset, toChannel: channel, at: frame)
    }
    effectsAdapter?.pointee.reset(at: frame, now: lanes.now)
  }

  /// Registered parameters 3 and 4: tuning program and tuning bank.
  @_noLocks private mutating func selectTuning(_ channel: UInt8, at frame: Int64) {
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
      lanes.send(.tuning(number), toChannel: channel, at: frame)
    }
  }
}

// Values that a host sets by parameters instead of messages, for all channels or for one.
extension ExactState {
  /// Sets the master tuning in cents. A sounding note follows from its next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    lanes.renderOverflow(upTo: lanes.now)
    masterTuning = cents
    for channel in 0..<UInt8(16) { tune(channel, at: lanes.now) }
  }

  /// Sets the tuning of a channel after the master tuning or that of the part has changed.
  @_noLocks mutating func tune(_ channel: UInt8, at frame: Int64) {
    let generator = Int32(GEN_PITCH.rawValue)
    let cents = masterTuning + module.tuning(of: channel)
    fluid_synth_set_gen(controlSynth, Int32(channel), generator, cents)
    channels[Int(channel)].state.generators[Int(generator)] = cents
    markChanged(channel)
    lanes.send(.generator(generator, cents), toChannel: channel, at: frame)
  }

  /// Restores the tuning of a channel after a reset, which clears it.
  @_noLocks private func tuneControlSynth(_ channel: UInt8) {
    let cents = masterTuning + module.tuning(of: channel)
    if cents == 0 { return }
    fluid_synth_set_gen(controlSynth, Int32(channel), Int32(GEN_PITCH.rawValue), cents)
  }

  /// Restores in the control synth what parameters set for a channel. The offsets must have been removed or cleared.
  @_noLocks mutating func restoreParameters(_ channel: UInt8) {
    tuneControlSynth(channel)
    offsets.add(to: controlSynth, channel: Int32(channel))
  }

  /// Sets the offset of a generator on all channels. Sounding notes follow from their next blocks on.
  @_noLocks mutating func setOffset(_ index: Int, to value: Float) {
    lanes.renderOverflow(upTo: lanes.now)
    offsets.set(index, to: value, in: controlSynth)
    for channel in 0..<UInt8(16) {
      sendGenerator(index, channel, at: lanes.now)
      markChanged(channel)
    }
  }

  /// Copies a generator from the control synth to the channel and its lanes.
  ///
  /// - Parameter index: That of the generator in ``GeneratorOffsets``.
  @_noLocks private func sendGenerator(_ index: Int, _ channel: UInt8, at frame: Int64) {
    let generator = GeneratorOffsets.generator(index)
    let value = fluid_synth_get_gen(controlSynth, Int32(channel), generator)
    channels[Int(channel)].state.generators[Int(generator)] = value
    lanes.send(.generator(generator, value), toChannel: channel, at: frame)
  }

  /// Updates channels and lanes after the control synth was changed by other means than messages.
  @_noLocks mutating func readControlSynth() {
    for channel in 0..<UInt8(16) {
      synchronise(channel, at: lanes.now)
      channels[Int(channel)].keys = LegatoKeys()
      if channels[Int(channel)].state.controllers[Int(Controller.portamentoTimeLSB)] != 0 {
        trackDataEntry(channel, number: Controller.portamentoTimeLSB, at: lanes.now)
      }
    }
    readModes(at: lanes.now)
  }
}

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
    case .bendRange(let range): lanes.send(.bendRange(range), toChannel: channel, at: frame)
    case .parameter(let number, let value):
      lanes.send(.parameter(number: number, value: value), toChannel: channel, at: frame)
    }
    markChanged(channel)
  }

  /// Adopts values that were set in the control synth by other means than messages.
  @_noLocks mutating func adopt(_ tracked: DataEntry, _ channel: UInt8) {
    let state = channels + Int(channel)
    if tracked.bendRange != state.pointee.state.entry.bendRange {
      lanes.send(.bendRange(tracked.bendRange), toChannel: channel, at: lanes.now)
    }
    if state.pointee.state.entry.parameters.exceeds(tracked.parameters) {
      lanes.send(.control(number: Controller.resetAll, value: 0), toChannel: channel, at: lanes.now)
      state.pointee.state.entry.parameters.resetControllers()
    }
    for number in 0..<EnteredParameters.count where EnteredParameters.keeps(number) {
      let value = tracked.parameters[number]
      if value == state.pointee.state.entry.parameters[number] { continue }
      lanes.send(.parameter(number: number, value: value), toChannel: channel, at: lanes.now)
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
      lanes.send(.linearPortamentoTime, toChannel: channel, at: frame)
    }
  }
}
