import CFluidSynth
import CFluidSynthOverrides

/// One synth that plays one note at a time, on a grid of its own.
///
/// FluidSynth renders blocks of 64 frames, and a note begins with a block. A lane has no grid while
/// it is silent, so the note that wakes it lays the grid: its first block is the block that begins on
/// the note's frame. A silent lane costs nothing, for nobody calls it.
///
/// Two lanes never share a note, and a note is never in two lanes. A chain of legato notes counts as
/// one note, for its notes share voices.
struct Lane {
  let synth: OpaquePointer
  let voiceReset: VoiceReset
  /// Which pool renders it.
  var pool: Int32
  /// What it plays from.
  var tables: PresetTables
  let door: SoundFontProxy
  let library: LibraryProbe
  /// What the synth was last told about its channel.
  let told: UnsafeMutablePointer<ChannelState>
  /// The revision of the channel that `told` agrees with; 0 when that is not known.
  var toldRevision: UInt64 = 0

  /// What it is told once its next block comes; in frame order.
  let commands: UnsafeMutablePointer<LaneCommand>
  var commandCount = 0

  var isSounding = false
  /// The frame at which its next block begins.
  var next: Int64 = 0
  /// The frame at which its note began.
  var started: Int64 = 0

  /// MIDI channel of its note, and of the last one when it is silent.
  var channel: UInt8 = 0
  /// The stem that its note belongs to, for as long as it sounds; −1 where none are kept.
  var stem: Int32 = -1
  /// Keys of its note that are down.
  var held = KeySet()
  /// The last key it played.
  var key: UInt8 = 0
  /// Whether a chain of legato notes may go on in it.
  var isChain = false
  /// Whether further notes began in it since it woke.
  var hasFurtherNotes = false
  /// Whether the sostenuto pedal went down while its key was.
  var isCaught = false
  /// Whether it was choked or stolen and is fading.
  var isDying = false
  /// Whether it was told to end without fading.
  var isCut = false
  /// The exclusive class of its voices; 0 is none.
  var exclusiveClass: Int32 = 0

  var voices: Int32 = 0
  /// How many voice slots its note has used, and which must be scrubbed after it.
  var usedSlots: Int32 = 0
  /// Whether its slots could not be reset after a note, so that it must not play another.
  var isUnusable = false
  /// Whether any sample of its note, or of its effect sends, differed from zero.
  var isHeard = false
  /// The greatest sample of its last block. Infinite before the first: a note that has only just
  /// begun is not quiet.
  var level: Float = .infinity

  /// Where it is in a recording, if it uses one.
  var head = Playhead()

  /// How many commands a lane can hold; a further one makes it render up to its frame first.
  static var commandCapacity: Int { @_noLocks get { 64 } }
  /// Voices per lane. Layers, stereo pairs and velocity cross-fades take up to eight in the fonts we
  /// know; what a legato chain needs beyond twelve it takes from its own oldest.
  static var polyphony: Int32 { @_noLocks get { 12 } }
  /// Frames in FluidSynth's block.
  static var blockFrames: Int { @_noLocks get { 64 } }
  /// Its voices are counted after so many blocks of its grid, and not in between: so that the count,
  /// and the end of its note, do not depend on how the blocks were divided among calls.
  static var blocksPerCount: Int { @_noLocks get { 16 } }

  /// Blocks since its note began.
  var blocks: Int { @_noLocks get { Int(next - started) / Self.blockFrames } }
  /// Whether its voices are to be counted now.
  var isAtCount: Bool { @_noLocks get { blocks % Self.blocksPerCount == 0 } }

  /// Adds a command. The lane must be sounding and have room.
  @_noLocks mutating func tell(_ action: LaneCommand.Action, at frame: Int64) {
    commands[commandCount] = LaneCommand(frame: frame, action)
    commandCount += 1
  }

  /// Tells the silent synth all that differs between `state` and what it knows.
  @_noLocks mutating func update(
    to state: UnsafeMutablePointer<ChannelState>, revision: UInt64, key: UInt8, tunings: Tunings,
    tables: PresetTables
  ) {
    if self.tables.font != tables.font { turn(to: tables) }
    if toldRevision != revision {
      if told.pointee.parameters.exceeds(state.pointee.parameters) {
        fluid_synth_cc(synth, 0, Int32(Controller.resetAll), 0)
        told.pointee.readAfterReset(synth, channel: 0)
      }
      tellControllers(state)
      tellRest(state, tunings: tunings)
      toldRevision = revision
    }
    let pressure = state.pointee.keyPressures[Int(key)]
    if told.pointee.keyPressures[Int(key)] != pressure {
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(pressure))
      told.pointee.keyPressures[Int(key)] = pressure
    }
  }

  /// Lets the silent synth play from other tables from now on.
  @_noLocks mutating func turn(to tables: PresetTables) {
    self.tables = tables
    door.lead(to: tables)
    setLegatoMode()
    told.pointee.preset = .unknown
    toldRevision = 0
  }

  /// After a system reset, and at the start. Shared tables cannot play legato as it should be; see
  /// ``PresetTables``. The lane's last note is another channel's: which key portamento begins at is told with
  /// each note.
  @_noLocks func setModes() {
    setLegatoMode()
    fluid_synth_set_portamento_mode(
      synth, 0, Int32(FLUID_CHANNEL_PORTAMENTO_MODE_LEGATO_ONLY.rawValue))
  }

  @_noLocks private func setLegatoMode() {
    fluid_synth_set_legato_mode(synth, 0, tables.legatoMode)
  }

  @_noLocks private func tellControllers(_ state: UnsafeMutablePointer<ChannelState>) {
    for number in 0..<120 {
      let value = state.pointee.controllers[number]
      guard told.pointee.controllers[number] != value else { continue }
      told.pointee.controllers[number] = value
      // Portamento control is told per note, by whoever starts it.
      guard !Controller.isSilent(UInt8(number)), number != Controller.portamentoControl
      else { continue }
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
    }
  }

  @_noLocks private func tellRest(_ state: UnsafeMutablePointer<ChannelState>, tunings: Tunings) {
    for generator in 0..<ChannelState.generatorCount {
      let value = state.pointee.generators[generator]
      guard told.pointee.generators[generator] != value else { continue }
      told.pointee.generators[generator] = value
      fluid_synth_set_gen(synth, 0, Int32(generator), value)
    }
    if !(told.pointee.preset == state.pointee.preset) {
      told.pointee.preset = state.pointee.preset
      if state.pointee.preset == .none {
        fluid_synth_unset_program(synth, 0)
      } else {
        fluid_synth_program_select(
          synth, 0, 1, state.pointee.preset.bank, state.pointee.preset.program)
      }
    }
    if told.pointee.bend != state.pointee.bend {
      told.pointee.bend = state.pointee.bend
      fluid_synth_pitch_bend(synth, 0, state.pointee.bend)
    }
    if told.pointee.bendRange != state.pointee.bendRange {
      told.pointee.bendRange = state.pointee.bendRange
      BendRange.tell(state.pointee.bendRange, synth, channel: 0)
    }
    if !told.pointee.parameters.equals(state.pointee.parameters) {
      state.pointee.parameters.tell(synth, channel: 0, knowing: told.pointee.parameters)
      told.pointee.parameters = state.pointee.parameters
    }
    if told.pointee.isPortamentoTimeLinear != state.pointee.isPortamentoTimeLinear {
      told.pointee.isPortamentoTimeLinear = state.pointee.isPortamentoTimeLinear
      portamento_time_mode_set(
        UnsafeMutableRawPointer(synth), state.pointee.isPortamentoTimeLinear)
    }
    if told.pointee.pressure != state.pointee.pressure {
      told.pointee.pressure = state.pointee.pressure
      fluid_synth_channel_pressure(synth, 0, Int32(state.pointee.pressure))
    }
    if told.pointee.tuning != state.pointee.tuning {
      told.pointee.tuning = state.pointee.tuning
      tunings.apply(state.pointee.tuning, to: synth, soundingToo: false)
    }
  }

  /// Starts a note: its voices sound from the lane's next block on.
  ///
  /// - Parameters:
  ///   - glideFrom: The key that portamento begins at, or `nil` for none.
  ///   - caught: Whether the sostenuto pedal, down already, holds the note all the same: it took
  ///     over from a note that the pedal holds.
  @_noLocks mutating func startNote(key: UInt8, velocity: UInt8, glideFrom: UInt8?, caught: Bool) {
    if let glideFrom {
      fluid_synth_cc(synth, 0, Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    if caught {
      fluid_synth_cc(synth, 0, Int32(Controller.sostenuto), 127)
    }
    voices = fluid_synth_get_active_voice_count(synth)
    // Voices that fade out in a slot that was taken from them are counted, too.
    usedSlots = max(usedSlots, min(voices, Self.polyphony))
  }

  /// Does what it was told, if it is due, and leaves the rest.
  ///
  /// - Parameter voiceList: Room for ``polyphony`` + 1 voices.
  @_noLocks mutating func obey(
    tunings: Tunings, voiceList: UnsafeMutablePointer<OpaquePointer?>
  ) {
    var done = 0
    while done < commandCount, commands[done].frame <= next {
      perform(commands[done].action, tunings: tunings, voiceList: voiceList)
      done += 1
    }
    forgetCommands(done)
  }

  /// Takes the first `count` commands away.
  @_noLocks mutating func forgetCommands(_ count: Int) {
    guard count > 0 else { return }
    commandCount -= count
    for i in 0..<commandCount { commands[i] = commands[i + count] }
  }

  /// Does one thing, now.
  @_noLocks mutating func perform(
    _ action: LaneCommand.Action, tunings: Tunings,
    voiceList: UnsafeMutablePointer<OpaquePointer?>
  ) {
    toldRevision = 0
    switch action {
    case .noteOn(let key, let velocity):
      fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
      // Which slots a chain uses depends on what has ended; all are scrubbed after it.
      usedSlots = Self.polyphony
    case .noteOff(let key):
      // Fails where the note has ended by itself, which is no error.
      _ = fluid_synth_noteoff(synth, 0, Int32(key))
    case .control(let number, let value):
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
      if number == Controller.resetAll {
        told.pointee.readAfterReset(synth, channel: 0)
      } else if number < 120 {
        told.pointee.controllers[Int(number)] = value
      }
    case .bend(let position):
      told.pointee.bend = position
      fluid_synth_pitch_bend(synth, 0, position)
    case .bendRange(let range):
      told.pointee.bendRange = range
      BendRange.tell(range, synth, channel: 0)
    case .parameter(let number, let value):
      told.pointee.parameters.enter(number, value)
      EnteredParameters.enter(number, value, synth, channel: 0)
    case .linearPortamentoTime:
      told.pointee.isPortamentoTimeLinear = true
      portamento_time_mode_set(UnsafeMutableRawPointer(synth), true)
    case .pressure(let value):
      told.pointee.pressure = value
      fluid_synth_channel_pressure(synth, 0, Int32(value))
    case .keyPressure(let key, let value):
      told.pointee.keyPressures[Int(key)] = value
      fluid_synth_key_pressure(synth, 0, Int32(key), Int32(value))
    case .generator(let generator, let value):
      told.pointee.generators[Int(generator)] = value
      fluid_synth_set_gen(synth, 0, generator, value)
    case .tuning(let number):
      told.pointee.tuning = number
      tunings.apply(number, to: synth, soundingToo: true)
    case .choke:
      choke(voiceList)
    case .cut:
      fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    case .systemReset:
      fluid_synth_system_reset(synth)
      setModes()
      told.pointee.readAfterSystemReset(synth, channel: 0)
    }
  }

  /// Releases the note, pedals or not, and lets it fade as FluidSynth lets one of an exclusive class.
  @_noLocks private mutating func choke(_ voiceList: UnsafeMutablePointer<OpaquePointer?>) {
    fluid_synth_get_voicelist(synth, voiceList, Self.polyphony + 1, -1)
    var i = 0
    while i < Int(Self.polyphony), let voice = voiceList[i] {
      library.choke.shortenRelease(of: voice)
      i += 1
    }
    lift(Controller.sustain)
    lift(Controller.sostenuto)
    fluid_synth_cc(synth, 0, Int32(Controller.allNotesOff), 0)
  }

  @_noLocks private func lift(_ pedal: UInt8) {
    fluid_synth_cc(synth, 0, Int32(pedal), 0)
    told.pointee.controllers[Int(pedal)] = 0
  }
}

extension LibraryProbe.Choke {
  /// Gives a voice the releases of one that is choked.
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
