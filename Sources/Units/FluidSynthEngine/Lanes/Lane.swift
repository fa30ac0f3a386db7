import CFluidSynth
import CFluidSynthOverrides
import RenderCore

/// A synth that plays one note at a time, on its own block grid.
///
/// FluidSynth renders blocks of 64 frames, and a note begins with a block. A silent lane has no grid; the
/// note that starts it sets the grid, so that its first block begins on the note's frame. A silent lane
/// costs no time, because it is not rendered.
///
/// Two notes never share a lane at the same time, and a note is never in two lanes. A chain of legato notes
/// counts as one note, because its notes share voices.
struct Lane {
  let synth: OpaquePointer
  let voiceReset: VoiceReset
  /// Owns the synth and what the lane points to.
  let memory: Unmanaged<RenderMemory>
  /// The index of the lane group that renders the lane.
  var group: Int32
  /// The presets that the lane plays.
  var tables: PresetTables
  let proxy: SoundFontProxy
  let library: LibraryProbe
  /// The channel state that the synth was last sent.
  let sent: UnsafeMutablePointer<ChannelState>

  /// The commands to apply at the lane's next block, in the order of their frames.
  let commands: UnsafeMutablePointer<LaneCommand>
  var commandCount = 0

  var isSounding = false
  /// The frame at which the next block begins.
  var next: Int64 = 0
  /// The frame at which the note began.
  var started: Int64 = 0

  /// The MIDI channel of the note; of the last note if the lane is silent.
  var channel: UInt8 = 0
  /// The stem of the note, for as long as it sounds; −1 without stems; ``everyStem`` for the control synth if each
  /// MIDI channel is a stem.
  var stem: Int32 = -1
  /// The keys of the note that are down.
  var held = KeySet()
  /// The key that was played last.
  var key: UInt8 = 0
  /// Whether the lane can continue a chain of legato notes.
  var isChain = false
  /// Whether further notes began in the lane since it was last started.
  var hasFurtherNotes = false
  /// Whether the sostenuto pedal went down while the key was down.
  var isSostenutoHeld = false
  /// Whether the note was choked or stolen and is fading out.
  var isFadingOut = false
  /// Whether the note was cut, without a fade.
  var isCut = false
  /// The exclusive class of the voices; 0 if they have none.
  var exclusiveClass: Int32 = 0

  var voices: Int32 = 0
  /// The number of voice slots that the note has used, which must be reset after it.
  var usedSlots: Int32 = 0
  /// Whether the slots could not be reset after a note, so that the lane must not be used again.
  var isUnusable = false
  /// Whether any sample of the note, or of its effect sends, was not zero.
  var wasAudible = false
  /// The master gain of the last block.
  var gain = MasterGain.unity
  /// The peak of the last block. Infinite before the first block, so that a new note does not count as quiet.
  var level: Float = .infinity

  /// The number of the note in the ``NoteLog``, and the first and last audible frames that were measured of it; −1 if
  /// there is none.
  var note: Int32 = -1
  var firstAudible: Int64 = -1
  var lastAudible: Int64 = -1

  /// The position in a recording, if the lane uses one.
  var head = Playhead()

  /// The maximum number of commands. Before a further command is added, the lane is rendered up to its frame.
  static var commandCapacity: Int { @_noLocks get { 64 } }
  /// Voices per lane. Layers, stereo pairs and velocity crossfades use up to eight in known SoundFonts. A
  /// legato chain that needs more than twelve loses its oldest.
  static var polyphony: Int32 { @_noLocks get { 12 } }
  static var everyStem: Int32 { @_noLocks get { -2 } }
  /// Frames per block of FluidSynth.
  static var blockFrames: Int { @_noLocks get { 64 } }
  /// The number of blocks between counts of the voices. They are counted only at these blocks of the lane's
  /// grid, so that the count, and the end of the note, do not depend on the division into calls.
  static var blocksPerCount: Int { @_noLocks get { 16 } }

  /// Blocks since the note began.
  var blocks: Int { @_noLocks get { Int(next - started) / Self.blockFrames } }
  /// Whether the voices are counted at this block.
  var isAtCount: Bool { @_noLocks get { blocks % Self.blocksPerCount == 0 } }

  /// Adds a command. The lane must be sounding and the queue must not be full.
  @_noLocks mutating func enqueue(_ action: LaneCommand.Action, at frame: Int64) {
    commands[commandCount] = LaneCommand(frame: frame, action)
    commandCount += 1
  }

  /// Sends the differences between `state` and ``sent`` to the synth, which must be silent.
  @_noLocks mutating func update(
    to state: ChannelState, key: UInt8, tunings: Tunings, tables: PresetTables
  ) {
    if self.tables.font != tables.font { retarget(to: tables) }
    if sent.pointee.revision != state.revision {
      if sent.pointee.entry.parameters.exceeds(state.entry.parameters) {
        fluid_synth_cc(synth, 0, Int32(Controller.resetAll), 0)
        sent.pointee.readAfterReset(synth, channel: 0)
      }
      sendControllers(state)
      sendOtherState(state, tunings: tunings)
      sent.pointee.revision = state.revision
    }
    let pressure = state.keyPressures[Int(key)]
    if sent.pointee.keyPressures[Int(key)] != pressure {
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(pressure))
      sent.pointee.keyPressures[Int(key)] = pressure
    }
  }

  /// Makes the synth, which must be silent, play other presets.
  @_noLocks mutating func retarget(to tables: PresetTables) {
    self.tables = tables
    proxy.retarget(to: tables)
    setLegatoMode()
    sent.pointee.preset = .unknown
    sent.pointee.revision = 0
  }

  /// Sets the legato and portamento modes, at the start and after a system reset.
  ///
  /// Shared tables do not support legato; see ``PresetTables``. The previous note of the lane may be of
  /// another channel, so the start of a glide is sent with each note.
  @_noLocks func setModes() {
    setLegatoMode()
    fluid_synth_set_portamento_mode(
      synth, 0, Int32(FLUID_CHANNEL_PORTAMENTO_MODE_LEGATO_ONLY.rawValue))
  }

  @_noLocks private func setLegatoMode() {
    fluid_synth_set_legato_mode(synth, 0, tables.legatoMode)
  }

  @_noLocks private func sendControllers(_ state: ChannelState) {
    for number in 0..<120 {
      let value = state.controllers[number]
      guard sent.pointee.controllers[number] != value else { continue }
      sent.pointee.controllers[number] = value
      // ``startNote(key:velocity:glideFrom:sostenutoHeld:)`` sends portamento control for each note.
      guard !Controller.isSilent(UInt8(number)), number != Controller.portamentoControl
      else { continue }
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
    }
  }

  @_noLocks private func sendOtherState(_ state: ChannelState, tunings: Tunings) {
    for generator in 0..<ChannelState.generatorCount {
      let value = state.generators[generator]
      guard sent.pointee.generators[generator] != value else { continue }
      sent.pointee.generators[generator] = value
      fluid_synth_set_gen(synth, 0, Int32(generator), value)
    }
    if !(sent.pointee.preset == state.preset) {
      sent.pointee.preset = state.preset
      if state.preset == .none {
        fluid_synth_unset_program(synth, 0)
      } else {
        fluid_synth_program_select(
          synth, 0, 1, state.preset.bank, state.preset.program)
      }
    }
    if sent.pointee.bend != state.bend {
      sent.pointee.bend = state.bend
      fluid_synth_pitch_bend(synth, 0, state.bend)
    }
    if sent.pointee.entry.bendRange != state.entry.bendRange {
      sent.pointee.entry.bendRange = state.entry.bendRange
      BendRange.send(state.entry.bendRange, to: synth, channel: 0)
    }
    if !sent.pointee.entry.parameters.equals(state.entry.parameters) {
      state.entry.parameters.send(to: synth, channel: 0, replacing: sent.pointee.entry.parameters)
      sent.pointee.entry.parameters = state.entry.parameters
    }
    if sent.pointee.isPortamentoTimeLinear != state.isPortamentoTimeLinear {
      sent.pointee.isPortamentoTimeLinear = state.isPortamentoTimeLinear
      portamento_time_mode_set(
        UnsafeMutableRawPointer(synth), state.isPortamentoTimeLinear)
    }
    if sent.pointee.pressure != state.pressure {
      sent.pointee.pressure = state.pressure
      fluid_synth_channel_pressure(synth, 0, Int32(state.pressure))
    }
    if sent.pointee.tuning != state.tuning {
      sent.pointee.tuning = state.tuning
      tunings.apply(state.tuning, to: synth, soundingToo: false)
    }
  }

  /// Starts a note, whose voices sound from the lane's next block on.
  ///
  /// - Parameters:
  ///   - glideFrom: The key at which portamento begins; `nil` for no portamento.
  ///   - sostenutoHeld: Whether the sostenuto pedal, although already down, holds the note, because the
  ///     note replaces one that the pedal holds.
  @_noLocks mutating func startNote(
    key: UInt8, velocity: UInt8, glideFrom: UInt8?, sostenutoHeld: Bool
  ) {
    if let glideFrom {
      fluid_synth_cc(synth, 0, Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    if sostenutoHeld {
      fluid_synth_cc(synth, 0, Int32(Controller.sostenuto), 127)
    }
    voices = fluid_synth_get_active_voice_count(synth)
    // The count includes voices that fade out after their slot was taken over.
    usedSlots = max(usedSlots, min(voices, Self.polyphony))
  }

  /// Applies the commands that are due, and keeps the others.
  ///
  /// - Parameter voiceList: Memory for ``polyphony`` voices.
  @_noLocks mutating func applyDueCommands(
    tunings: Tunings, voiceList: VoiceList
  ) {
    var done = 0
    while done < commandCount, commands[done].frame <= next {
      apply(commands[done].action, tunings: tunings, voiceList: voiceList)
      done += 1
    }
    removeCommands(done)
  }

  /// Removes the first `count` commands.
  @_noLocks mutating func removeCommands(_ count: Int) {
    guard count > 0 else { return }
    commandCount -= count
    for i in 0..<commandCount { commands[i] = commands[i + count] }
  }

  /// Applies a command immediately.
  @_noLocks mutating func apply(
    _ action: LaneCommand.Action, tunings: Tunings,
    voiceList: VoiceList
  ) {
    sent.pointee.revision = 0
    switch action {
    case .noteOn(let key, let velocity):
      fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
      // The slots that a chain uses depend on which voices have ended, so all are reset after it.
      usedSlots = Self.polyphony
    case .noteOff(let key):
      // Fails if the note has already ended, which is not an error.
      _ = fluid_synth_noteoff(synth, 0, Int32(key))
    case .control(let number, let value):
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
      if number == Controller.resetAll {
        sent.pointee.readAfterReset(synth, channel: 0)
      } else if number < 120 {
        sent.pointee.controllers[Int(number)] = value
      }
    case .bend(let position):
      sent.pointee.bend = position
      fluid_synth_pitch_bend(synth, 0, position)
    case .bendRange(let range):
      sent.pointee.entry.bendRange = range
      BendRange.send(range, to: synth, channel: 0)
    case .parameter(let number, let value):
      sent.pointee.entry.parameters.enter(number, value)
      EnteredParameters.enter(number, value, synth, channel: 0)
    case .linearPortamentoTime:
      sent.pointee.isPortamentoTimeLinear = true
      portamento_time_mode_set(UnsafeMutableRawPointer(synth), true)
    case .pressure(let value):
      sent.pointee.pressure = value
      fluid_synth_channel_pressure(synth, 0, Int32(value))
    case .keyPressure(let key, let value):
      sent.pointee.keyPressures[Int(key)] = value
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(value))
    case .generator(let generator, let value):
      sent.pointee.generators[Int(generator)] = value
      fluid_synth_set_gen(synth, 0, generator, value)
    case .tuning(let number):
      sent.pointee.tuning = number
      tunings.apply(number, to: synth, soundingToo: true)
    case .choke:
      choke(voiceList)
    case .cut:
      fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    case .systemReset:
      fluid_synth_system_reset(synth)
      setModes()
      sent.pointee.readAfterSystemReset(synth, channel: 0)
    }
  }

  /// Releases the note, even if a pedal holds it, with the fade of FluidSynth's exclusive classes.
  @_noLocks private mutating func choke(_ voiceList: VoiceList) {
    voiceList.forEach(of: synth) { voice in library.choke.shortenRelease(of: voice) }
    lift(Controller.sustain)
    lift(Controller.sostenuto)
    fluid_synth_cc(synth, 0, Int32(Controller.allNotesOff), 0)
  }

  @_noLocks private func lift(_ pedal: UInt8) {
    fluid_synth_cc(synth, 0, Int32(pedal), 0)
    sent.pointee.controllers[Int(pedal)] = 0
  }
}

extension LibraryProbe.Choke {
  /// Gives a voice the release times of a choked voice.
  @_noLocks func shortenRelease(of voice: OpaquePointer) {
    if let volumeRelease { set(GEN_VOLENVRELEASE, volumeRelease, of: voice) }
    if let modulationRelease { set(GEN_MODENVRELEASE, modulationRelease, of: voice) }
  }

  @_noLocks private func set(
    _ generator: fluid_gen_type, _ timecents: Float, of voice: OpaquePointer
  ) {
    fluid_voice_gen_set(voice, Int32(generator.rawValue), timecents)
    fluid_voice_update_param(voice, Int32(generator.rawValue))
  }
}
