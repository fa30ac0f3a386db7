import CFluidSynth
import RenderCore

/// The data of a stock instrument's render thread.
struct StockState {
  let synth: OpaquePointer
  private let proxy: SoundFontProxy
  private(set) var tables: PresetTables
  let requests: SupplyRequests
  /// The channels that still play shared presets, one bit per channel; all others play the instrument's own.
  private var sharing: UInt16
  private var voiceOwnership: VoiceOwnership
  private let voices: VoiceList
  /// The channels that have changed since ``Engine/readChangedChannels()`` was last called, one bit per channel.
  var changedChannels: UInt16 = 0
  var channels = InlineArray<16, DataEntry>(repeating: DataEntry())
  /// The keys of each channel that are down, whose samples a monophonic channel may need again after a program change.
  var keys = InlineArray<16, LegatoKeys>(repeating: LegatoKeys())
  let library: LibraryProbe
  /// For ``render(_:begin:into:)``; `nil` unless the MIDI channels are apart.
  let outputPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
  /// The settings by System Exclusive, and the choice of presets.
  var module: SoundModule
  var effectControls = EffectControls()
  var masterGain = StockMasterGain()
  /// The parts that have had a scale tuning since the last reset, one bit per part.
  var scaledParts: UInt16 = 0
  /// The tuning that the unit's parameter sets, in cents.
  var masterTuning: Float = 0
  var statistics = Statistics()
  var substitutions: Substitutions
  var samples: NoteSamples

  /// Creates the state of an instrument.
  ///
  /// - Parameter soundFont: Must outlive the state.
  init(
    _ soundFont: PlayedSoundFont, settings: InstrumentSettings, in memory: RenderMemory
  ) throws(InstrumentError) {
    library = try LibraryProbe.found()
    var synthSettings = SynthSettings(
      rate: settings.rate, polyphony: settings.polyphony, gain: settings.gain,
      effects: settings.effects, reverbEngine: ReverbEngines.index(of: settings.reverbEngine))
    if settings.separatesChannels { synthSettings.dryOutputs = ChannelOutputs.midiChannels }
    outputPointers =
      settings.separatesChannels ? memory.make(Self.outputPointerCount, of: nil) : nil
    synth = try makeSynth(synthSettings, in: memory)
    tables = soundFont.tables
    requests = soundFont.requests
    proxy = try SoundFontProxy(of: synth, to: tables)
    sharing = tables.isShared ? .max : 0
    voices = VoiceList(polyphony: settings.polyphony, in: memory)
    voiceOwnership = VoiceOwnership(voices, in: memory)
    substitutions = Substitutions(in: memory)
    module = SoundModule(settings.bankStyle, in: memory)
    samples = NoteSamples(soundFont, in: memory)
    setLegatoModes()
    requestSamples()
  }

  /// Starts a note, and counts it and the notes whose voices it takes over.
  ///
  /// - Parameter isFirst: `false` if another part plays the same note-on, which was counted.
  @_noLocks mutating func startNote(_ channel: Int32, key: Int32, velocity: Int32, isFirst: Bool) {
    if isFirst { statistics.notes += 1 }
    substitutions.check(
      module.requested(of: UInt8(truncatingIfNeeded: channel)),
      PresetNumber(playedBy: synth, channel: channel))
    voiceOwnership.snapshot(of: synth)
    let isStarted = fluid_synth_noteon(synth, channel, key, velocity) == FLUID_OK
    statistics.stolenNotes += voiceOwnership.countLostNotes()
    if hasVoice(channel, key: key) { return }
    statistics.silentNotes += 1
    // Fails if no voice is free or if there is no preset, as on a disabled channel.
    if isStarted || !hasPreset(channel) {
      statistics.unmappedNotes += 1
    } else {
      statistics.voicelessNotes += 1
    }
  }

  @_noLocks private func hasPreset(_ channel: Int32) -> Bool {
    ChannelGroup(of: synth, channel: channel).basic >= 0
      && !(PresetNumber(playedBy: synth, channel: channel) == .none)
  }

  @_noLocks private func hasVoice(_ channel: Int32, key: Int32) -> Bool {
    var isFound = false
    voices.forEach(of: synth) { voice in
      if fluid_voice_get_key(voice) == key, fluid_voice_get_channel(voice) == channel {
        isFound = true
      }
    }
    return isFound
  }

  @_noLocks func requestPresets(for message: ChannelMessage) {
    if sharing != 0 { requests.presets.pointee.request(for: message) }
  }

  /// Makes channels with shared presets retrigger legato notes; see ``PresetTables``.
  @_noLocks func setLegatoModes() {
    for channel in 0..<Int32(16) { setLegatoMode(channel) }
  }

  @_noLocks private func setLegatoMode(_ channel: Int32) {
    let mode =
      sharing >> UInt16(channel) & 1 == 1
      ? FLUID_CHANNEL_LEGATO_MODE_RETRIGGER : FLUID_CHANNEL_LEGATO_MODE_MULTI_RETRIGGER
    fluid_synth_set_legato_mode(synth, channel, Int32(mode.rawValue))
  }

  /// Switches channels to the instrument's own presets once they are loaded: each channel when it is
  /// silent, because voices reference the preset with which they began.
  @_noLocks mutating func adoptSupplies() {
    guard sharing != 0, let own = requests.presets.pointee.loaded else { return }
    if tables.isShared {
      tables = own
      proxy.retarget(to: own)
    }
    let sounding = soundingChannels
    for channel in 0..<Int32(16) {
      let bit = UInt16(1) << UInt16(channel)
      guard sharing & bit != 0, sounding & bit == 0, reselectPreset(channel) else { continue }
      sharing &= ~bit
      setLegatoMode(channel)
    }
  }

  /// The channels that have voices, one bit per channel.
  private var soundingChannels: UInt16 {
    @_noLocks get {
      var channels: UInt16 = 0
      voices.forEach(of: synth) { voice in
        channels |= 1 << UInt16(truncatingIfNeeded: fluid_voice_get_channel(voice))
      }
      return channels
    }
  }

  /// Selects the preset of a channel again, from the current tables of the proxy, and restores the
  /// requested bank and program.
  ///
  /// - Returns: Whether it succeeded; it fails on a channel that a mono mode has disabled.
  @_noLocks private func reselectPreset(_ channel: Int32) -> Bool {
    let played = PresetNumber(playedBy: synth, channel: channel)
    if played == .none { return true }
    let asked = PresetNumber(askedOf: synth, channel: channel)
    guard
      fluid_synth_program_select(synth, channel, 1, played.bank, played.program) == FLUID_OK
    else { return false }
    fluid_synth_bank_select(synth, channel, asked.bank)
    if asked.program != played.program {
      fluid_synth_program_change(synth, channel, asked.program)
    }
    return true
  }

  /// Starts the waiting notes whose samples have been loaded.
  @_noLocks mutating func startWaitingNotes() {
    while let note = samples.takeReady() {
      // The channel may have changed its preset since.
      let channel = Int32(note.channel)
      if PresetNumber(playedBy: synth, channel: channel) == note.preset {
        fluid_synth_noteon(synth, channel, Int32(note.key), Int32(note.velocity))
      }
    }
  }

  /// Requests the samples of newly selected presets, before a note needs them.
  @_noLocks mutating func requestSamples() {
    for channel in 0..<UInt8(16) {
      samples.request(PresetNumber(playedBy: synth, channel: Int32(channel)), for: channel)
    }
  }
}
