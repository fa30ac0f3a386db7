import CFluidSynth

// Notes without a lane. They share the control synth, which holds the state of every channel. They share
// its block grid as well, so that a note begins up to 63 frames late, but no note is lost.
extension ExactState {
  /// Starts a note in the control synth.
  @_noLocks mutating func startInOverflow(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, at frame: Int64
  ) {
    statistics.inexactOnsets += 1
    notesWithoutLane += 1
    log?.endCurrent(.shared)
    let state = channels + Int(channel)
    state.pointee.isOverflowMono = state.pointee.isMono
    state.pointee.overflowHeld.insert(key)
    if let glideFrom {
      fluid_synth_cc(
        controlSynth, Int32(channel), Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    voiceOwnership.snapshot(of: controlSynth)
    // Fails if no voice is free.
    let isStarted =
      fluid_synth_noteon(controlSynth, Int32(channel), Int32(key), Int32(velocity)) == FLUID_OK
    statistics.stolenNotes += voiceOwnership.countLostNotes()
    overflow.pointee.voices = fluid_synth_get_active_voice_count(controlSynth)
    if overflow.pointee.voices > 0, !overflow.pointee.isSounding {
      // The first note sets the block grid.
      overflow.pointee.isSounding = true
      overflow.pointee.gain = masterGain.pointee.gain(at: frame)
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
      if isStarted || state.pointee.state.preset == .none {
        statistics.unmappedNotes += 1
      } else {
        statistics.voicelessNotes += 1
      }
    }
    if exclusiveClass != 0 { chokeLanes(of: channel, exclusiveClass, but: nil, at: frame) }
    updatePeaks()
  }

  /// Renders the overflow up to `frame`. Must be called before a message is applied to the control synth.
  @_noLocks func renderOverflow(upTo frame: Int64) {
    if overflow.pointee.isSounding { _ = renderUpTo(overflow, to: frame) }
  }

  /// Releases a key, because of a note-off or because the key is struck again.
  @_noLocks func endInOverflow(_ channel: UInt8, key: UInt8) {
    let state = channels + Int(channel)
    guard state.pointee.overflowHeld.contains(key) else { return }
    state.pointee.overflowHeld.remove(key)
    if state.pointee.isOverflowMono {
      // A note-off would return to the previous note, as in a trill, but that note may be in a lane.
      fluid_synth_all_notes_off(controlSynth, Int32(channel))
    } else {
      // Fails if the note has already ended, which is not an error.
      _ = fluid_synth_noteoff(controlSynth, Int32(channel), Int32(key))
    }
  }

  /// Before a note begins, in a lane or in the overflow: ends all notes of a monophonic channel, else the
  /// note of the same key.
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

  /// Ends the voices of an exclusive class, as ``LaneCommand/Action/choke`` does.
  @_noLocks func chokeOverflow(of channel: UInt8, _ exclusiveClass: Int32) {
    forEachOverflowVoice(of: channel) { voice in
      guard self.exclusiveClass(of: voice) == exclusiveClass else { return }
      library.choke.shortenRelease(of: voice)
      _ = fluid_synth_noteoff(controlSynth, Int32(channel), fluid_voice_get_key(voice))
    }
  }

  /// At the start and after a reset: makes the control synth retrigger every note and glide only between legato notes.
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
    overflowVoices.forEach(of: controlSynth) { voice in
      if fluid_voice_get_channel(voice) == Int32(channel) { body(voice) }
    }
  }

  @_noLocks func exclusiveClass(of voice: OpaquePointer) -> Int32 {
    Int32(fluid_voice_gen_get(voice, Int32(GEN_EXCLUSIVECLASS.rawValue)))
  }
}
