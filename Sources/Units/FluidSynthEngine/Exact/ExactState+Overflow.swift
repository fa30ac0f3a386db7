import CFluidSynth

// Notes that find no lane. They share the director, which knows every channel as it is: on one grid,
// so that a note is up to 63 frames late, but none is lost.
extension ExactState {
  /// Begins a note in the director.
  @_noLocks mutating func startInOverflow(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, at frame: Int64
  ) {
    statistics.inexactOnsets += 1
    laneless += 1
    let state = channels + Int(channel)
    state.pointee.isOverflowMono = state.pointee.isMono
    state.pointee.overflowHeld.insert(key)
    if let glideFrom {
      fluid_synth_cc(
        controlSynth, Int32(channel), Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    takenVoices.remember(controlSynth)
    // Fails where no voice is free.
    let isStarted =
      fluid_synth_noteon(controlSynth, Int32(channel), Int32(key), Int32(velocity)) == FLUID_OK
    statistics.stolenNotes += takenVoices.count()
    overflow.pointee.voices = fluid_synth_get_active_voice_count(controlSynth)
    if overflow.pointee.voices > 0, !overflow.pointee.isSounding {
      // Silent, it had no grid: this note lays it.
      overflow.pointee.isSounding = true
      overflow.pointee.next = frame
      overflow.pointee.started = frame
    }
    var isSilent = true
    var exclusiveClass: Int32 = 0
    forEachOverflowVoice(of: channel) { voice in
      guard fluid_voice_get_key(voice) == Int32(key) else { return }
      isSilent = false
      exclusiveClass = max(exclusiveClass, self.exclusiveClass(of: voice))
    }
    if isSilent {
      statistics.silentNotes += 1
      if isStarted || state.pointee.state.pointee.preset == .none {
        statistics.unmappedNotes += 1
      } else {
        statistics.voicelessNotes += 1
      }
    }
    if exclusiveClass != 0 { chokeLanes(of: channel, exclusiveClass, but: nil, at: frame) }
    count()
  }

  /// Before a message: the director renders what it plays up to the message's frame.
  @_noLocks func bringUpOverflow(to frame: Int64) {
    if overflow.pointee.isSounding { _ = renderUpTo(overflow, to: frame) }
  }

  /// A key goes up, or will go down again.
  @_noLocks func endInOverflow(_ channel: UInt8, key: UInt8) {
    let state = channels + Int(channel)
    guard state.pointee.overflowHeld.contains(key) else { return }
    state.pointee.overflowHeld.remove(key)
    if state.pointee.isOverflowMono {
      // A note-off would bring back the note before, as in a trill; but that is another lane's.
      fluid_synth_all_notes_off(controlSynth, Int32(channel))
    } else {
      // Fails where the note has ended by itself, which is no error.
      _ = fluid_synth_noteoff(controlSynth, Int32(channel), Int32(key))
    }
  }

  /// A note begins, somewhere: a monophonic channel's others end, else one of the same key.
  @_noLocks func endInOverflow(before key: UInt8, on channel: UInt8) {
    let state = channels + Int(channel)
    guard state.pointee.isMono else {
      endInOverflow(channel, key: key)
      return
    }
    guard !state.pointee.overflowHeld.isEmpty else { return }
    state.pointee.overflowHeld.removeAll()
    fluid_synth_all_notes_off(controlSynth, Int32(channel))
  }

  /// Ends voices of an exclusive class, as ``LaneCommand/Action/choke`` does.
  @_noLocks func chokeOverflow(of channel: UInt8, _ exclusiveClass: Int32) {
    forEachOverflowVoice(of: channel) { voice in
      guard self.exclusiveClass(of: voice) == exclusiveClass else { return }
      library.choke.shortenRelease(of: voice)
      _ = fluid_synth_noteoff(controlSynth, Int32(channel), fluid_voice_get_key(voice))
    }
  }

  /// After a reset, and at the start: the director plays no passages, only single notes, and knows no note
  /// before them.
  @_noLocks func setOverflowModes() {
    let legato = Int32(FLUID_CHANNEL_LEGATO_MODE_RETRIGGER.rawValue)
    let portamento = Int32(FLUID_CHANNEL_PORTAMENTO_MODE_LEGATO_ONLY.rawValue)
    for channel in 0..<Int32(16) {
      fluid_synth_set_legato_mode(controlSynth, channel, legato)
      fluid_synth_set_portamento_mode(controlSynth, channel, portamento)
    }
  }

  @_noLocks private func forEachOverflowVoice(
    of channel: UInt8, _ body: (OpaquePointer) -> Void
  ) {
    guard overflow.pointee.isSounding else { return }
    fluid_synth_get_voicelist(controlSynth, overflowVoices, overflowPolyphony + 1, -1)
    var i = 0
    while i < Int(overflowPolyphony), let voice = overflowVoices[i] {
      if fluid_voice_get_channel(voice) == Int32(channel) { body(voice) }
      i += 1
    }
  }

  @_noLocks private func exclusiveClass(of voice: OpaquePointer) -> Int32 {
    Int32(fluid_voice_gen_get(voice, Int32(GEN_EXCLUSIVECLASS.rawValue)))
  }
}
