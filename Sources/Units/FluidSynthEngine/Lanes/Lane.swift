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
  /// `nil`: the synth has mix buffers of its own.
  let mixPointers: MixPointers?
  let voiceReset: VoiceReset
  /// `nil` for the control synth, all of whose channels are in use.
  private let classChoke: ClassChoke?
  /// Owns the synth and what the lane points to.
  private let memory: Unmanaged<RenderMemory>
  /// The index of the lane group that renders the lane.
  private(set) var group: Int32
  /// The presets that the lane plays.
  private(set) var tables: PresetTables
  private let proxy: SoundFontProxy
  private let library: LibraryProbe
  /// The channel state that the synth was last sent.
  private let sent: UnsafeMutablePointer<ChannelState>

  /// Whether the channel of the synth plays drums.
  private var isDrum = false

  /// The commands to apply at the lane's next block, in the order of their frames.
  let commands: UnsafeMutablePointer<LaneCommand>
  var commandCount = 0

  // The block grid: set by the note that begins, and advanced by the thread that renders the lane.

  var isSounding = false
  /// The frame at which the next block begins.
  var next: Int64 = 0
  /// The frame at which the note began.
  var started: Int64 = 0

  // The note: written by the planning thread.

  /// The MIDI channel of the note; of the last note if the lane is silent.
  private(set) var channel: UInt8 = 0
  /// The stem of the note, for as long as it sounds; −1 without stems; ``everyStem`` for the control synth if each
  /// MIDI channel is a stem.
  var stem: Int32 = -1
  /// The key and the velocity that were played last.
  var key: UInt8 = 0
  var velocity: UInt8 = 0
  /// The keys and pedals that hold the note.
  var hold = Hold.nothing
  /// Whether the sostenuto pedal went down while anything held the note.
  var isCaptured = false
  /// The preset with which the last note of the lane began, and earlier ones of its chain.
  var presets = ChainPresets()
  /// Whether the note was choked or stolen and is fading out.
  var isFadingOut = false
  /// Whether the note was cut, without a fade.
  var isCut = false
  /// Whether a message has ended all sound: later messages of the same block would start the release of the ended voices.
  var isEnded = false
  var classes = ExclusiveClasses()

  // What the lane has rendered: written by the thread that renders it.

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
  private(set) var firstAudible: Int64 = -1
  private(set) var lastAudible: Int64 = -1

  /// The position in a recording, if the lane uses one.
  var head = Playhead()

  /// The keys and pedals that hold a note, in the sense of FluidSynth, in which each note that is struck again releases the earlier one.
  enum Hold: UInt8 {
    case key, sustain, sostenuto, nothing

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
    @_noLocks static func != (a: Self, b: Self) -> Bool { a.rawValue != b.rawValue }
  }

  /// The maximum number of commands. Before a further command is added, the lane is rendered up to its frame.
  static var commandCapacity: Int { @_noLocks get { 64 } }
  /// Voices per lane. Layers, stereo pairs and velocity crossfades use up to eight in known SoundFonts. A
  /// legato chain that needs more than twenty loses its oldest.
  static var polyphony: Int32 { @_noLocks get { 20 } }
  /// The voices that a note may have without being unusual.
  private static var mostVoicesOfNote: Int32 { @_noLocks get { 6 } }
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
    classChoke?.select(in: synth)
  }

  @_noLocks private func setLegatoMode() {
    fluid_synth_set_legato_mode(synth, 0, tables.legatoMode)
  }

  @_noLocks private func sendControllers(_ state: ChannelState) {
    for number in 0..<120 {
      let value = state.controllers[number]
      guard sent.pointee.controllers[number] != value else { continue }
      sent.pointee.controllers[number] = value
      guard Controller.reachesVoices(UInt8(number)) else { continue }
      fluid_synth_cc(synth, 0, Int32(number), Int32(value))
    }
  }

  @_noLocks private mutating func sendOtherState(_ state: ChannelState, tunings: Tunings) {
    for generator in 0..<ChannelState.generatorCount {
      let value = state.generators[generator]
      guard sent.pointee.generators[generator] != value else { continue }
      sent.pointee.generators[generator] = value
      fluid_synth_set_gen(synth, 0, Int32(generator), value)
    }
    select(state.preset)
    if isDrum != state.isDrum {
      isDrum = state.isDrum
      let type = isDrum ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC
      fluid_synth_set_channel_type(synth, 0, Int32(type.rawValue))
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

  @_noLocks private func select(_ preset: PresetNumber) {
    if sent.pointee.preset == preset { return }
    sent.pointee.preset = preset
    if preset == .none {
      fluid_synth_unset_program(synth, 0)
    } else {
      fluid_synth_program_select(synth, 0, 1, preset.bank, preset.program)
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
    case .legato(let key, let velocity, let glideFrom):
      continueChain(key: key, velocity: velocity, glideFrom: glideFrom)
    case .program(let preset):
      select(preset)
    case .noteOff(let key):
      // Fails if the note has already ended, which is not an error.
      _ = fluid_synth_noteoff(synth, 0, Int32(key))
    case .release(let key):
      liftPedals()
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
    case .choke(let exclusiveClass):
      choke(exclusiveClass, voiceList)
    case .steal:
      fadeOut(voiceList)
    case .cut:
      fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    case .systemReset:
      fluid_synth_system_reset(synth)
      isDrum = false
      setModes()
      sent.pointee.readAfterSystemReset(synth, channel: 0)
    }
  }

  /// Plays a further note with the voices of the lane's last key.
  @_noLocks private mutating func continueChain(key: UInt8, velocity: UInt8, glideFrom: UInt8) {
    if glideFrom < 128 {
      fluid_synth_cc(synth, 0, Int32(Controller.portamentoControl), Int32(glideFrom))
    }
    // The pedal is down for this note only. FluidSynth keeps the last key when it is lifted, from which the next note
    // continues.
    fluid_synth_cc(synth, 0, Int32(Controller.legato), 127)
    let free = usedSlots - fluid_synth_get_active_voice_count(synth)
    // Its new voices begin in slots that the chain has not used, if there are enough.
    if free > 0, usedSlots + Self.mostVoicesOfNote <= Self.polyphony {
      voiceReset.beginReset(free, of: synth)
    }
    fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    fluid_synth_cc(synth, 0, Int32(Controller.legato), 0)
    usedSlots = max(
      usedSlots, min(fluid_synth_get_active_voice_count(synth), Self.polyphony))
  }

  /// Ends the voices of an exclusive class.
  @_noLocks private mutating func choke(_ exclusiveClass: Int32, _ voiceList: VoiceList) {
    let voices = fluid_synth_get_active_voice_count(synth)
    // Without a free slot, all voices end.
    guard voices < Self.polyphony, let classChoke else { return fadeOut(voiceList) }
    classChoke.end(exclusiveClass, in: synth)
    usedSlots = max(
      usedSlots, min(fluid_synth_get_active_voice_count(synth), Self.polyphony))
  }

  /// Releases the note, even if a pedal holds it, with the fade of FluidSynth's exclusive classes.
  @_noLocks private mutating func fadeOut(_ voiceList: VoiceList) {
    voiceList.forEach(of: synth) { voice in library.choke.shortenRelease(of: voice) }
    liftPedals()
    fluid_synth_cc(synth, 0, Int32(Controller.allNotesOff), 0)
  }

  @_noLocks private func liftPedals() {
    lift(Controller.sustain)
    lift(Controller.sostenuto)
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

extension Lane {
  /// Begins to measure a note.
  ///
  /// - Parameter note: Its number; −1 to measure nothing.
  @_noLocks mutating func measure(note: Int32) {
    self.note = note
    firstAudible = -1
    lastAudible = -1
  }

  /// Measures frames of the lane's note, from its next block on.
  ///
  /// - Parameters:
  ///   - left: May be `nil`, for silence.
  ///   - right: The same for the right channel.
  ///   - frames: Whole blocks.
  @_noLocks mutating func measure(
    _ left: UnsafePointer<Float>?, _ right: UnsafePointer<Float>?, frames: Int
  ) {
    guard note >= 0 else { return }
    var last = -1
    if let left { last = Self.lastAudible(left, from: 0, frames) }
    if let right { last = max(last, Self.lastAudible(right, from: last + 1, frames)) }
    if last < 0 { return }
    lastAudible = next + Int64(last)
    guard firstAudible < 0 else { return }
    var first = last
    if let left { first = Self.firstAudible(left, before: first) }
    if let right { first = Self.firstAudible(right, before: first) }
    firstAudible = next + Int64(first)
  }

  /// - Returns: −1 if no sample from `begin` on is audible.
  @_noLocks private static func lastAudible(
    _ samples: UnsafePointer<Float>, from begin: Int, _ end: Int
  ) -> Int {
    var i = end - 1
    while i >= begin {
      if abs(samples[i]) >= LoggedNote.threshold { return i }
      i -= 1
    }
    return -1
  }

  /// - Returns: `end` if no earlier sample is audible.
  @_noLocks private static func firstAudible(
    _ samples: UnsafePointer<Float>, before end: Int
  ) -> Int {
    for i in 0..<end where abs(samples[i]) >= LoggedNote.threshold { return i }
    return end
  }
}

// Creation: never on the render thread.
extension Lane {
  /// - Parameters:
  ///   - playsOneNote: `false` for the control synth.
  ///   - makeSynth: Creates the lane's synth, which the given memory deletes, and finds its mix pointers.
  init(
    group: Int32, sends: Effects, tables: PresetTables, playsOneNote: Bool = true,
    _ makeSynth: (RenderMemory) throws(InstrumentError) -> (OpaquePointer, MixPointers?)
  ) throws(InstrumentError) {
    let memory = RenderMemory()
    // Before the synth, whose voices read its sample.
    voiceReset = try VoiceReset(in: memory)
    classChoke = playsOneNote ? try ClassChoke(playing: voiceReset.sample, in: memory) : nil
    (synth, mixPointers) = try makeSynth(memory)
    self.group = group
    self.tables = tables
    library = try LibraryProbe.found()
    proxy = try SoundFontProxy(of: synth, to: tables)
    classChoke?.add(to: synth)
    if sends.any { enableRawSends(of: synth, sends) }
    commands = memory.make(Self.commandCapacity, of: LaneCommand(frame: 0, .pressure(0)))
    sent = memory.make(ChannelState())
    self.memory = .passRetained(memory)
    sent.pointee.read(from: synth, channel: 0)
    setModes()
    // The mode is common to all channels, so it is set by the engine and not by what the lane receives.
    portamento_time_mode_set(UnsafeMutableRawPointer(synth), false)
  }

  func destroy() { memory.release() }
}

extension Lane {
  /// Prepares a pooled lane for an instrument.
  mutating func attach(group: Int32, tables: PresetTables) {
    self.group = group
    // Without a program on any channel since ``detach()``.
    classChoke?.select(in: synth)
    retarget(to: tables)
  }

  /// Releases all references of the lane to its instrument. The lane must be silent.
  ///
  /// - Returns: Whether another instrument can use the lane.
  mutating func detach() -> Bool {
    // The tuning tables belong to the instrument.
    guard !isSounding, !isUnusable, usedSlots == 0, sent.pointee.tuning == 0, tables.only == nil
    else {
      return false
    }
    commandCount = 0
    for channel in 0..<Int32(16) { fluid_synth_unset_program(synth, channel) }
    return true
  }
}

extension Lane {
  /// Prepares an idle lane for a new note.
  @_noLocks mutating func begin(
    channel: UInt8, _ note: LegatoKeys.Key, _ preset: PresetNumber, at frame: Int64
  ) {
    isSounding = true
    self.channel = channel
    key = note.key
    velocity = note.velocity
    hold = .key
    isCaptured = false
    presets = ChainPresets(preset)
    next = frame
    started = frame
    commandCount = 0
    isFadingOut = false
    isCut = false
    isEnded = false
    classes = ExclusiveClasses()
    wasAudible = false
    level = .infinity
    head = Playhead()
  }
}
