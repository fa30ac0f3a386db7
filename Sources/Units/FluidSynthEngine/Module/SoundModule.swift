import CFluidSynth
import RenderCore

/// The settings by GM, GS and XG messages that an instrument keeps beside FluidSynth's channels, and the choice of presets by them.
///
/// FluidSynth's versions treat these messages differently. The engines read them here instead, and act by calls that have
/// the same effect in every version: a reset, the type, bank and program of a channel, controllers, generators, tunings.
/// FluidSynth's own bank style stays the initial one, because no reset message reaches it.
///
/// Realtime: yes, except for creation.
struct SoundModule: BitwiseCopyable {
  /// The settings by System Exclusive.
  private(set) var settings = ModuleSettings()
  private var selections = InlineArray<16, Selection>(repeating: Selection())
  /// For each part and key, the semitones by which the key was shifted when it was struck.
  private let struckShifts: UnsafeMutablePointer<Int8>
  /// Whether a key shift was set since the last reset.
  private var shiftsKeys = false
  /// What parameters of the unit set for the notes that begin from now on.
  private var playing = Playing()
  /// The velocities of the soft and of the hard curve, 128 each.
  private let velocities: UnsafePointer<UInt8>
  /// Whether this is a copy that looks ahead, and must not change ``struckShifts``.
  private var isPreview = false
  /// Whether a part plays another channel than its own.
  private(set) var routes = false

  /// The choice of the preset of a part.
  struct Selection: BitwiseCopyable {
    @_noLocks init() {}

    /// Controllers 0 and 32.
    var coarse: UInt8 = 0
    var fine: UInt8 = 0
    /// The bank that replaces both until the next bank select, because a parameter or a restored state has set it; −1 for
    /// none.
    var bank: Int32 = -1
    /// The preset that the last program change selected, before substitutions. A bank select after it has no effect yet.
    var requested = PresetNumber(bank: 0, program: 0)
  }

  /// How notes and program changes that arrive are played.
  struct Playing: BitwiseCopyable {
    @_noLocks init() {}

    /// In semitones, except for rhythm parts.
    var transposition: Int8 = 0
    /// 0: linear, 1: soft, 2: hard; see ``VelocityCurve``.
    var velocityCurve: UInt8 = 0
    /// The style of bank selects. A passive module keeps `library`, and no other takes it.
    var style = BankStyle.auto
  }

  /// The action of the engine after a System Exclusive message.
  enum Change: BitwiseCopyable {
    case nothing, reset, masterGain, effects
    /// The tuning of all parts.
    case masterTuning
    case tuning(part: UInt8)
    case scale(part: UInt8)
    /// Give the message to the library.
    case library
  }

  /// Replaces the settings, as a saved state does. The selections must be restored afterwards.
  @_noLocks mutating func restore(_ settings: ModuleSettings) {
    self.settings = settings
    if !isPreview {
      for index in 0..<16 * 128 { struckShifts[index] = 0 }
    }
    shiftsKeys = settings.master.keyShift != 0 || playing.transposition != 0
    routes = false
    for part in 0..<UInt8(16) {
      if settings[part].keyShift != 0 { shiftsKeys = true }
      if settings[part].channel != part { routes = true }
    }
  }

  init(_ style: BankStyle, in memory: RenderMemory) {
    struckShifts = memory.make(16 * 128, of: 0)
    playing.style = style
    let velocities = memory.make(2 * 128, of: UInt8(0))
    for velocity in 0..<UInt8(128) {
      velocities[Int(velocity)] = VelocityCurve.soft[velocity]
      velocities[128 + Int(velocity)] = VelocityCurve.hard[velocity]
    }
    self.velocities = UnsafePointer(velocities)
    forget()
  }

  /// A copy that follows messages ahead of the instrument. It must not be used to handle notes.
  var preview: SoundModule {
    @_noLocks get {
      var copy = self
      copy.isPreview = true
      return copy
    }
  }

  /// Whether the library receives every message as it is.
  var isPassive: Bool {
    @_noLocks get {
      if case .library = playing.style { return true }
      return false
    }
  }

  private var style: BankStyle {
    @_noLocks get {
      if case .auto = playing.style { return BankStyle(after: settings.system) }
      return playing.style
    }
  }

  /// The system whose rules apply.
  private var system: SystemExclusive.System? {
    @_noLocks get {
      switch style {
      case .xg: .xg
      case .gm2: .gm2
      case .gm: .gm
      case .gs, .mma, .auto, .library: .gs
      }
    }
  }

  /// Restores the settings and selections of a reset synth.
  @_noLocks private mutating func forget() {
    for part in 0..<16 { selections[part] = Selection() }
    selections[9].coarse = system?.rhythmBank ?? 0
    selections[9].requested.bank = 128
    if shiftsKeys, !isPreview {
      for index in 0..<16 * 128 { struckShifts[index] = 0 }
    }
    (shiftsKeys, routes) = (playing.transposition != 0, false)
  }

  /// Sets how notes and program changes are played from now on. Keys that are down end the notes that they have begun.
  @_noLocks mutating func setPlaying(_ playing: Playing) {
    self.playing = playing
    if playing.transposition != 0 { shiftsKeys = true }
  }

  /// Updates the settings, and says what the engine must do. It must then handle the messages of
  /// ``message(_:of:)``.
  @_noLocks mutating func follow(_ meaning: SystemExclusive.Meaning) -> Change {
    settings.follow(meaning)
    switch meaning {
    case .reset:
      forget()
      return .reset
    case .masterVolume, .masterAttenuation, .masterBalance: return .masterGain
    case .masterTuning: return .masterTuning
    case .partTuning(let part, _): return .tuning(part: part)
    case .masterKeyShift, .partKeyShift: shiftsKeys = true
    case .receiveChannel: routes = true
    case .scale(let part, _, _): return .scale(part: part)
    case .reverbTime, .reverbLevel, .chorusMotion, .chorusRate, .chorusDepth, .chorusLevel:
      return .effects
    case .tuning: return .library
    case .leaveGM, .controller, .program, .bendRange, .mono, .rhythm, .nothing: break
    }
    return .nothing
  }

  /// The channel message number `index` that a System Exclusive message stands for; see
  /// ``SystemExclusive/Meaning/message(_:in:)``.
  @_noLocks func message(_ index: Int, of meaning: SystemExclusive.Meaning) -> ChannelMessage? {
    meaning.message(index, in: system)
  }
}

// Parts and keys.
extension SoundModule {
  /// The parts that play a channel message, one bit per part.
  @_noLocks func parts(playing channel: UInt8) -> UInt16 {
    routes ? settings.parts(playing: channel) : 1 << UInt16(channel)
  }

  /// Returns the message of a MIDI channel as a part plays it: with the part as its channel, its key shifted, and the
  /// velocity of a note-on by the velocity curve.
  @_noLocks mutating func message(_ message: ChannelMessage, for part: UInt8) -> ChannelMessage {
    let data2 = message.startsNote ? soundingVelocity(message.data2) : message.data2
    guard shiftsKeys else {
      return ChannelMessage(message.kind, channel: part, message.data1, data2)
    }
    switch message.kind {
    case .noteOn, .noteOff, .keyPressure:
      let shift = struckShifts + (Int(part) * 128 + Int(message.data1))
      if message.startsNote { shift.pointee = keyShift(of: part) }
      let key = Self.shifted(message.data1, by: shift.pointee)
      return ChannelMessage(message.kind, channel: part, key, data2)
    default: return ChannelMessage(message.kind, channel: part, message.data1, data2)
    }
  }

  /// Returns the velocity with which a note that begins now sounds.
  @_noLocks func soundingVelocity(_ velocity: UInt8) -> UInt8 {
    if playing.velocityCurve == 0 { return velocity }
    return velocities[Int(playing.velocityCurve - 1) * 128 + Int(velocity & 127)]
  }

  /// Returns the key with which a note that begins now sounds.
  @_noLocks func soundingKey(_ key: UInt8, of part: UInt8) -> UInt8 {
    shiftsKeys ? Self.shifted(key, by: keyShift(of: part)) : key
  }

  @_noLocks private func keyShift(of part: UInt8) -> Int8 {
    isRhythm(part)
      ? 0 : settings.master.keyShift + settings[part].keyShift + playing.transposition
  }

  /// A key beyond the range sounds an octave lower or higher.
  @_noLocks private static func shifted(_ key: UInt8, by shift: Int8) -> UInt8 {
    var key = Int(key) + Int(shift)
    while key < 0 { key += 12 }
    while key > 127 { key -= 12 }
    return UInt8(key)
  }

  /// The tuning of a part by System Exclusive, in cents.
  @_noLocks func tuning(of part: UInt8) -> Float {
    settings.master.tuning + settings[part].tuning
  }
}

// Scale tuning.
extension SoundModule {
  /// The tuning in which a part keeps its scale. The library's messages use others.
  @_noLocks static func scaleTuning(of part: UInt8) -> PresetNumber {
    PresetNumber(bank: 127, program: Int32(part))
  }

  @_noLocks func hasScale(_ part: UInt8) -> Bool {
    !settings[part].hasScale(of: ModuleSettings.Part())
  }

  /// Sets the scale tuning of a part. Realtime: as `fluid_synth_sysex`.
  @_noLocks func applyScale(of part: UInt8, to synth: OpaquePointer, soundingToo: Bool) {
    let tuning = Self.scaleTuning(of: part)
    let scale = settings[part].scale
    let apply: Int32 = soundingToo ? 1 : 0
    withUnsafeTemporaryAllocation(
      byteCount: 12 * MemoryLayout<Double>.size, alignment: MemoryLayout<Double>.alignment
    ) { memory in
      let cents = memory.baseAddress!.assumingMemoryBound(to: Double.self)
      for note in 0..<12 { cents[note] = Double(scale[note]) }
      withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { name in
        name[0] = 0
        let text = name.baseAddress!.assumingMemoryBound(to: CChar.self)
        fluid_synth_activate_octave_tuning(
          synth, tuning.bank, tuning.program, text, cents, apply)
      }
    }
    fluid_synth_activate_tuning(synth, Int32(part), tuning.bank, tuning.program, apply)
  }
}

// Presets.
extension SoundModule {
  /// Follows a message that selects a bank or a program, after `synth` has received the controller. A program change is
  /// carried out in `synth`.
  @_noLocks mutating func select(_ message: ChannelMessage, in synth: OpaquePointer) {
    if case .programChange = message.kind {
      selectProgram(message.data1, of: message.channel, in: synth)
    } else {
      selectBank(message)
    }
  }

  @_noLocks private mutating func selectBank(_ message: ChannelMessage) {
    guard case .controlChange = message.kind else { return }
    let part = Int(message.channel)
    if message.data1 == 0 {
      selections[part].coarse = message.data2
    } else if message.data1 == 32 {
      selections[part].fine = message.data2
    } else {
      return
    }
    selections[part].bank = -1
  }

  /// Follows a message that selects a bank or a program, without a synth. The module must not be passive.
  mutating func followSelection(_ message: ChannelMessage) {
    guard case .programChange = message.kind else { return selectBank(message) }
    selections[Int(message.channel)].requested = PresetNumber(
      bank: bank(of: message.channel), program: Int32(message.data1))
  }

  /// The controllers 0 and 32 that make a melodic part select a bank: 0…127.
  func bankSelect(_ bank: UInt8, of part: UInt8) -> (coarse: UInt8, fine: UInt8) {
    let selection = selections[Int(part)]
    if isRhythm(part) { return (selection.coarse, selection.fine) }
    switch style {
    case .gm: return (0, 0)
    case .xg: return bank == 64 ? (64, 0) : (0, bank)
    case .gm2: return (121, bank)
    case .mma: return (0, bank)
    case .auto, .gs, .library: return (bank, 0)
    }
  }

  @_noLocks private mutating func selectProgram(
    _ program: UInt8, of part: UInt8, in synth: OpaquePointer
  ) {
    let channel = Int32(part)
    if !isPassive {
      fluid_synth_set_channel_type(
        synth, channel,
        Int32((isRhythm(part) ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC).rawValue))
      fluid_synth_bank_select(synth, channel, bank(of: part))
    }
    fluid_synth_program_change(synth, channel, Int32(program))
    selections[Int(part)].requested = PresetNumber(askedOf: synth, channel: channel)
  }

  /// Reads the presets that were requested in `synth`, after the library has handled a message.
  @_noLocks mutating func readRequests(from synth: OpaquePointer) {
    for part in 0..<16 {
      selections[part].requested = PresetNumber(askedOf: synth, channel: Int32(part))
    }
  }

  /// Selects a preset by its bank, whatever the style.
  @_noLocks mutating func select(_ preset: PresetNumber, of part: UInt8, in synth: OpaquePointer) {
    selections[Int(part)].bank = preset.bank
    selectProgram(UInt8(truncatingIfNeeded: preset.program), of: part, in: synth)
  }

  @_noLocks func selection(of part: UInt8) -> Selection { selections[Int(part)] }

  /// Restores the selection of a part, and its preset in `synth`.
  @_noLocks mutating func restore(
    _ selection: Selection, of part: UInt8, in synth: OpaquePointer
  ) {
    let present = selections[Int(part)].requested
    selections[Int(part)] = selection
    if selection.requested == present { return }
    let (bank, channel) = (selection.requested.bank, Int32(part))
    if !isPassive {
      fluid_synth_set_channel_type(
        synth, channel,
        Int32((bank == 128 ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC).rawValue))
    }
    fluid_synth_bank_select(synth, channel, bank)
    fluid_synth_program_change(synth, channel, selection.requested.program)
  }

  /// The preset that a part was asked to play, before substitutions.
  @_noLocks func requested(of part: UInt8) -> PresetNumber { selections[Int(part)].requested }

  @_noLocks func isRhythm(_ part: UInt8) -> Bool {
    let selection = selections[Int(part)]
    if selection.bank >= 0 { return selection.bank == 128 }
    switch style {
    case .xg: return selection.coarse >= 126
    case .gm2: return selection.coarse == 120
    case .auto, .gs, .gm, .mma, .library: return settings.isRhythm(part)
    }
  }

  /// The bank of the part's next program change.
  @_noLocks private func bank(of part: UInt8) -> Int32 {
    let selection = selections[Int(part)]
    if selection.bank >= 0 { return selection.bank }
    if isRhythm(part) { return 128 }
    switch style {
    case .gm: return 0
    case .xg: return selection.coarse == 64 ? 64 : Int32(selection.fine)
    case .gm2: return Int32(selection.fine)
    case .mma: return Int32(selection.coarse) << 7 | Int32(selection.fine)
    case .auto, .gs, .library: return Int32(selection.coarse)
    }
  }
}
