import CFluidSynth
import RenderCore

extension StockState {
  /// Renders a cycle, or a part of one.
  ///
  /// - Parameters:
  ///   - begin: The frame of the whole cycle at which the part begins. Event offsets count from the start
  ///     of the whole cycle.
  ///   - left: Receives `cycle.frames` samples.
  ///   - right: The same for the right channel.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int = 0, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    let synth = synth
    render(cycle, begin: begin) { gain, done, count in
      fluid_synth_write_float(synth, Int32(count), left + done, 0, 1, right + done, 0, 1)
      gain.apply(to: left + done, side: 0, count)
      gain.apply(to: right + done, side: 1, count)
    }
  }

  /// Renders a cycle, or a part of one.
  ///
  /// - Parameter write: Makes the call that renders a number of frames, the first of which is given as a frame of the
  ///   part, and applies the master gain to them.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int,
    write: (_ gain: StockMasterGain, _ done: Int, _ count: Int) -> Void
  ) {
    adoptSupplies()
    startWaitingNotes()
    var done = 0
    for event in cycle.events {
      let offset = min(Int(event.offset) - begin, cycle.frames - 1)
      if offset > done {
        write(masterGain, done, offset - done)
        masterGain.advance(offset - done)
        done = offset
      }
      switch event.content {
      case .channel(let message): handle(message)
      case .sysEx(let start, let count):
        if count > 0 { handleSysEx(cycle.sysExBytes(start, count)) }
      case .system: break
      }
    }
    write(masterGain, done, cycle.frames - done)
    masterGain.advance(cycle.frames - done)
    let voices = Int(fluid_synth_get_active_voice_count(synth))
    statistics.mostVoices = max(statistics.mostVoices, voices)
    requestSamples()
  }

  /// Handles a message of a MIDI channel: each part that plays the channel handles it.
  @_noLocks private mutating func handle(_ message: ChannelMessage) {
    requestPresets(for: message)
    var parts = module.parts(playing: message.channel)
    if parts == 0, message.startsNote {
      statistics.notes += 1
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
    }
    var isFirst = true
    while parts != 0 {
      let part = UInt8(parts.trailingZeroBitCount)
      parts &= parts - 1
      send(module.message(message, for: part), isFirst: isFirst)
      isFirst = false
    }
  }

  /// Makes the calls for a message of a part. A note whose samples are not in memory waits for them.
  ///
  /// - Parameter isFirst: `false` if another part has handled the message, so that its note has been counted.
  @_noLocks private mutating func send(_ message: ChannelMessage, isFirst: Bool = true) {
    followKey(message)
    let channel = Int32(message.channel)
    let data1 = Int32(message.data1)
    let data2 = Int32(message.data2)
    switch message.kind {
    case .noteOff: fluid_synth_noteoff(synth, channel, data1)
    case .noteOn where data2 > 0:
      let note = NoteSamples.Note(
        channel: message.channel, key: message.data1, velocity: message.data2,
        preset: PresetNumber(playedBy: synth, channel: channel))
      if samples.find(for: note) {
        startNote(channel, key: data1, velocity: data2, isFirst: isFirst)
      } else {
        statistics.unloadedNotes += 1
      }
    case .noteOn: fluid_synth_noteon(synth, channel, data1, data2)
    case .keyPressure: fluid_synth_key_pressure(synth, channel, data1, data2)
    case .controlChange:
      fluid_synth_cc(synth, channel, data1, data2)
      module.select(message, in: synth)
    case .programChange: module.select(message, in: synth)
    case .channelPressure: fluid_synth_channel_pressure(synth, channel, data1)
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend))
    }
    if !message.startsNote, !message.endsNote { trackChange(message) }
  }

  @_noLocks private mutating func followKey(_ message: ChannelMessage) {
    let channel = Int(message.channel)
    if message.startsNote {
      keys[channel].strike(
        LegatoKeys.Key(message.data1, velocity: message.data2, note: 0), isMono: true)
    } else if message.endsNote {
      samples.release(message.channel, key: message.data1)
      _ = keys[channel].releaseMono(message.data1, isPortamento: false)
    }
  }

  @_noLocks private mutating func trackChange(_ message: ChannelMessage) {
    changedChannels |= 1 << UInt16(message.channel)
    guard message.kind == .controlChange else { return }
    let channel = Int32(message.channel)
    _ = channels[Int(message.channel)].follow(message.data1, synth, channel: channel, library)
    if message.data1 >= 120 { samples.release(message.channel, key: nil) }
    // A mode change affects a group of channels.
    if message.data1 >= 124 { changedChannels = .max }
    if message.data1 == Controller.resetAll {
      channels[Int(message.channel)].parameters.resetControllers()
      tuneAfterReset(message.channel)
    }
  }

  @_noLocks private mutating func handleSysEx(_ bytes: UnsafeBufferPointer<UInt8>) {
    changedChannels = .max
    if module.isPassive {
      if sendSysEx(bytes, to: synth) { forgetChannels() }
      module.readRequests(from: synth)
      setLegatoModes()
      for channel in 0..<UInt8(16) { tuneAfterReset(channel) }
      samples.releaseAll()
      return
    }
    var message = SystemExclusive(bytes)
    while let meaning = message.next() {
      switch module.follow(meaning) {
      case .nothing: break
      case .reset:
        fluid_synth_system_reset(synth)
        forgetChannels()
        setLegatoModes()
        samples.releaseAll()
        for channel in 0..<UInt8(16) { tuneAfterReset(channel) }
        masterGain.set(module.settings.master.gain, isSounding: false)
        effectControls.setFactors(module.settings.effects, reverb: synth, chorus: synth)
      case .masterGain:
        masterGain.set(
          module.settings.master.gain,
          isSounding: fluid_synth_get_active_voice_count(synth) > 0)
      case .masterTuning: for channel in 0..<UInt8(16) { tune(channel) }
      case .tuning(let part): tune(part)
      case .scale(let part): setScale(of: part)
      case .effects:
        effectControls.setFactors(module.settings.effects, reverb: synth, chorus: synth)
      case .library: sendTuning(bytes, to: synth)
      }
      var index = 0
      while let message = module.message(index, of: meaning) {
        requestPresets(for: message)
        send(message)
        index += 1
      }
    }
  }

  /// Restores what System Exclusive has set, as a saved state does.
  @_noLocks mutating func restore(_ settings: ModuleSettings) {
    let before = module.settings
    module.restore(settings)
    masterGain.set(settings.master.gain, isSounding: false)
    effectControls.setFactors(settings.effects, reverb: synth, chorus: synth)
    for part in 0..<UInt8(16) {
      tune(part)
      if !settings[part].hasScale(of: before[part]) { setScale(of: part) }
    }
  }

  @_noLocks private mutating func setScale(of part: UInt8) {
    if scaledParts >> UInt16(part) & 1 == 0, !module.hasScale(part) { return }
    scaledParts |= 1 << UInt16(part)
    module.applyScale(of: part, to: synth, soundingToo: true)
  }

  @_noLocks private mutating func forgetChannels() {
    channels = InlineArray(repeating: DataEntry())
    keys = InlineArray(repeating: LegatoKeys())
    scaledParts = 0
  }

  /// Sets the master tuning in cents. Sounding notes follow from the next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    masterTuning = cents
    for channel in 0..<UInt8(16) { tune(channel) }
  }

  @_noLocks private func tune(_ channel: UInt8) {
    fluid_synth_set_gen(
      synth, Int32(channel), Int32(GEN_PITCH.rawValue), masterTuning + module.tuning(of: channel))
  }

  /// Restores the tuning of a channel after a reset, which clears it.
  @_noLocks private func tuneAfterReset(_ channel: UInt8) {
    if masterTuning + module.tuning(of: channel) != 0 { tune(channel) }
  }

  /// Switches the effects on or off.
  @_noLocks func setEffects(_ effects: Effects) {
    fluid_synth_reverb_on(synth, -1, effects.reverb ? 1 : 0)
    fluid_synth_chorus_on(synth, -1, effects.chorus ? 1 : 0)
  }
}
