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
  private let library: LibraryProbe
  /// The channel of the synth on which the notes are played.
  private var synthChannel: LaneChannel

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

  /// What is measured of the note for the ``NoteLog``.
  var audible = AudibleFrames()

  /// The position in a recording, if the lane uses one.
  var head = Playhead()
  /// How long the note may sound after its release, if it began while sound was skipped.
  var release = ReleaseLimit()

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

  /// The presets that the lane plays.
  var tables: PresetTables { @_noLocks get { synthChannel.tables } }

  /// Makes the channel of the synth, which must be silent, equal to `state`.
  @_noLocks mutating func update(
    to state: ChannelState, key: UInt8, tunings: Tunings, tables: PresetTables
  ) {
    synthChannel.update(to: state, key: key, tunings: tunings, tables: tables)
  }

  /// Sets the modes of the channels, at the start and after a system reset.
  @_noLocks private func setModes() {
    synthChannel.setModes()
    classChoke?.select(in: synth)
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
    // A note without a preset leaves the glide to the next note of the synth.
    if voices == 0, glideFrom != nil { synthChannel.resetControllers() }
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
    switch action {
    case .legato(let key, let velocity, let glideFrom):
      continueChain(key: key, velocity: velocity, glideFrom: glideFrom)
    case .noteOff(let key):
      // Fails if the note has already ended, which is not an error.
      _ = fluid_synth_noteoff(synth, 0, Int32(key))
    case .release(let key):
      synthChannel.liftPedals()
      _ = fluid_synth_noteoff(synth, 0, Int32(key))
    case .choke(let exclusiveClass):
      choke(exclusiveClass, voiceList)
    case .steal:
      fadeOut(voiceList)
    case .cut:
      fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    case .systemReset:
      fluid_synth_system_reset(synth)
      setModes()
      synthChannel.didResetSystem()
    default:
      synthChannel.apply(action, tunings: tunings)
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
    synthChannel.liftPedals()
    fluid_synth_cc(synth, 0, Int32(Controller.allNotesOff), 0)
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
    library = try LibraryProbe.found()
    synthChannel = try LaneChannel(of: synth, tables: tables, in: memory)
    classChoke?.add(to: synth)
    if sends.any { enableRawSends(of: synth, sends) }
    commands = memory.make(Self.commandCapacity, of: LaneCommand(frame: 0, .pressure(0)))
    self.memory = .passRetained(memory)
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
    synthChannel.retarget(to: tables)
  }

  /// Releases all references of the lane to its instrument. The lane must be silent.
  ///
  /// - Returns: Whether another instrument can use the lane.
  mutating func detach() -> Bool {
    // The tuning tables belong to the instrument.
    guard !isSounding, !isUnusable, usedSlots == 0, synthChannel.isPortable else { return false }
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
