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
    render(cycle, begin: begin) { done, count in
      fluid_synth_write_float(synth, Int32(count), left + done, 0, 1, right + done, 0, 1)
    }
  }

  /// Renders a cycle, or a part of one.
  ///
  /// - Parameter write: Makes the call that renders a number of frames, the first of which is given as a frame of the
  ///   part.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int, write: (_ done: Int, _ count: Int) -> Void
  ) {
    adoptSupplies()
    startWaitingNotes()
    var done = 0
    for event in cycle.events {
      let offset = min(Int(event.offset) - begin, cycle.frames - 1)
      if offset > done {
        write(done, offset - done)
        done = offset
      }
      switch event.content {
      case .channel(let message):
        requestPresets(for: message)
        send(message)
      case .sysEx(let start, let count):
        if count == 0 { continue }
        let isReset = sendSysEx(cycle.sysExBytes(start, count), to: synth)
        if isReset {
          channels = InlineArray(repeating: DataEntry())
          keys = InlineArray(repeating: LegatoKeys())
        }
        setLegatoModes()
        samples.releaseAll()
        changedChannels = .max
        if masterTuning != 0 { tune(masterTuning) }
      case .system: break
      }
    }
    write(done, cycle.frames - done)
    let voices = Int(fluid_synth_get_active_voice_count(synth))
    statistics.mostVoices = max(statistics.mostVoices, voices)
    requestSamples()
  }

  /// Makes the call for a channel message. A note whose samples are not in memory waits for them.
  @_noLocks private mutating func send(_ message: ChannelMessage) {
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
        startNote(channel, key: data1, velocity: data2)
      } else {
        statistics.unloadedNotes += 1
      }
    case .noteOn: fluid_synth_noteon(synth, channel, data1, data2)
    case .keyPressure: fluid_synth_key_pressure(synth, channel, data1, data2)
    case .controlChange: fluid_synth_cc(synth, channel, data1, data2)
    case .programChange: fluid_synth_program_change(synth, channel, data1)
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
      if masterTuning != 0 {
        fluid_synth_set_gen(synth, channel, Int32(GEN_PITCH.rawValue), masterTuning)
      }
    }
  }

  /// Sets the master tuning in cents. Sounding notes follow from the next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    masterTuning = cents
    for channel in 0..<Int32(16) {
      fluid_synth_set_gen(synth, channel, Int32(GEN_PITCH.rawValue), cents)
    }
  }

  /// Switches the effects on or off.
  @_noLocks func setEffects(_ effects: Effects) {
    fluid_synth_reverb_on(synth, -1, effects.reverb ? 1 : 0)
    fluid_synth_chorus_on(synth, -1, effects.chorus ? 1 : 0)
  }
}
