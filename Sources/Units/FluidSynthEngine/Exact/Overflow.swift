import CFluidSynth
import RenderCore

/// The control synth as the player of notes without a lane.
///
/// It keeps the state of every channel, so it can play their notes. They share its block grid, so that a note begins up to 63
/// frames late, but no note is lost.
///
/// Realtime: yes, except for creation. Threads: the planning thread. The lane must have been rendered up to the frame of a
/// message; see ``LaneTable/renderOverflow(upTo:)``.
struct Overflow {
  /// Receives all messages but notes. It keeps the channel state by FluidSynth's own rules for resets, banks, parameters,
  /// modes and tunings, and the engine reads the state from it.
  let synth: OpaquePointer
  /// The synth as a lane, which belongs to a group but not to its sounding or idle lanes.
  let lane: UnsafeMutablePointer<Lane>
  private let library: LibraryProbe
  private let voices: VoiceList
  private var ownership: VoiceOwnership
  /// The notes that have begun since the last call of ``takeNotes()``.
  private var notes = 0

  init(
    _ settings: SynthSettings, sends: Effects, tables: PresetTables, _ library: LibraryProbe,
    in memory: RenderMemory
  ) throws(InstrumentError) {
    self.library = library
    voices = VoiceList(polyphony: settings.polyphony, in: memory)
    ownership = VoiceOwnership(voices, in: memory)
    lane = memory.make(
      try Lane(group: 0, sends: sends, tables: tables, playsOneNote: false) {
        memory throws(InstrumentError) in
        (try makeSynth(settings, in: memory), nil)
      })
    let control = lane.pointee
    memory.onRelease { control.destroy() }
    synth = control.synth
    setModes()
  }

  /// At the start and after a reset: makes the synth retrigger every note and glide only between legato notes.
  @_noLocks func setModes() {
    let legato = Int32(FLUID_CHANNEL_LEGATO_MODE_RETRIGGER.rawValue)
    let portamento = Int32(FLUID_CHANNEL_PORTAMENTO_MODE_LEGATO_ONLY.rawValue)
    for channel in 0..<Int32(16) {
      fluid_synth_set_legato_mode(synth, channel, legato)
      fluid_synth_set_portamento_mode(synth, channel, portamento)
    }
  }

  /// The result of a note-on.
  struct Start: BitwiseCopyable {
    /// Whether the library accepted the note; it does not if no voice is free.
    var isAccepted: Bool
    var isSilent = true
    /// 0 for none.
    var exclusiveClass: Int32 = 0
    /// The number of notes that have lost their last voice.
    var stolenNotes: Int
  }

  /// Starts a note.
  ///
  /// - Parameter gain: The master gain at `frame`.
  @_noLocks mutating func start(
    _ channel: UInt8, _ state: UnsafeMutablePointer<Channel>, key: UInt8, velocity: UInt8,
    glideFrom: UInt8?, gain: SIMD2<Float>, at frame: Int64
  ) -> Start {
    notes += 1
    state.pointee.isOverflowMono = state.pointee.isMono
    state.pointee.overflowHeld.insert(key)
    if let glideFrom {
      fluid_synth_cc(
        synth, Int32(channel), Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    ownership.snapshot(of: synth)
    let isAccepted =
      fluid_synth_noteon(synth, Int32(channel), Int32(key), Int32(velocity)) == FLUID_OK
    var start = Start(isAccepted: isAccepted, stolenNotes: ownership.countLostNotes())
    lane.pointee.voices = fluid_synth_get_active_voice_count(synth)
    if lane.pointee.voices > 0, !lane.pointee.isSounding {
      // The first note sets the block grid.
      lane.pointee.isSounding = true
      lane.pointee.gain = gain
      lane.pointee.next = frame
      lane.pointee.started = frame
    }
    forEachVoice(of: channel) { voice in
      guard fluid_voice_get_key(voice) == Int32(key) else { return }
      start.isSilent = false
      start.exclusiveClass = max(start.exclusiveClass, voice.exclusiveClass)
    }
    return start
  }

  /// Releases a key, because of a note-off or because the key is struck again.
  @_noLocks func end(
    _ channel: UInt8, _ state: UnsafeMutablePointer<Channel>, key: UInt8
  ) {
    guard state.pointee.overflowHeld.contains(key) else { return }
    state.pointee.overflowHeld.remove(key)
    if state.pointee.isOverflowMono {
      // A note-off would return to the previous note, as in a trill, but that note may be in a lane.
      fluid_synth_all_notes_off(synth, Int32(channel))
    } else {
      // Fails if the note has already ended, which is not an error.
      _ = fluid_synth_noteoff(synth, Int32(channel), Int32(key))
    }
  }

  /// Before a note begins, here or in a lane: ends all notes of a monophonic channel, else the note of the same key.
  @_noLocks func end(
    before key: UInt8, on channel: UInt8, _ state: UnsafeMutablePointer<Channel>
  ) {
    guard state.pointee.isMono else { return end(channel, state, key: key) }
    guard !state.pointee.overflowHeld.isEmpty else { return }
    state.pointee.overflowHeld.removeAll()
    fluid_synth_all_notes_off(synth, Int32(channel))
  }

  /// Ends the voices of an exclusive class, as ``LaneCommand/Action/choke`` does.
  @_noLocks func choke(_ exclusiveClass: Int32, of channel: UInt8) {
    forEachVoice(of: channel) { voice in
      guard voice.exclusiveClass == exclusiveClass else { return }
      library.choke.shortenRelease(of: voice)
      _ = fluid_synth_noteoff(synth, Int32(channel), fluid_voice_get_key(voice))
    }
  }

  /// Returns the number of notes that have begun since the last call.
  @_noLocks mutating func takeNotes() -> Int {
    defer { notes = 0 }
    return notes
  }

  @_noLocks private func forEachVoice(of channel: UInt8, _ body: (OpaquePointer) -> Void) {
    guard lane.pointee.isSounding else { return }
    voices.forEach(of: synth) { voice in
      if fluid_voice_get_channel(voice) == Int32(channel) { body(voice) }
    }
  }
}

extension OpaquePointer {
  /// The exclusive class of a voice; 0 for none.
  var exclusiveClass: Int32 {
    @_noLocks get { Int32(fluid_voice_gen_get(self, Int32(GEN_EXCLUSIVECLASS.rawValue))) }
  }
}
