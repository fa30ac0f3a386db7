import CFluidSynth

/// All that the render thread of a stock instrument works on.
struct StockState {
  let synth: OpaquePointer
  private let door: SoundFontProxy
  private(set) var tables: PresetTables
  let presetSupply: UnsafeMutablePointer<PresetRequests>
  /// Channels that still play from shared presets, a bit each; all other play from the synth's own.
  private var sharing: UInt16
  private var takenVoices: VoiceOwnership
  /// Where `fluid_synth_get_voicelist` writes: one more than there are voices.
  private let voiceList: UnsafeMutablePointer<OpaquePointer?>
  private let polyphony: Int32
  /// Channels that have changed since somebody last asked, a bit each.
  var touched: UInt16 = 0
  let channels: UnsafeMutablePointer<StockChannel>
  let library: LibraryProbe
  /// By how many cents everything is tuned up.
  var masterTuning: Float = 0
  var statistics = Statistics()
  var substitutions = Substitutions()
  /// Notes whose samples are not in memory yet.
  var waiting = WaitingNotes()
  /// The presets whose samples were asked for last, a channel each.
  var requested = InlineArray<16, PresetNumber>(repeating: .unknown)

  /// - Parameter tables: They must outlive the state.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(tables: PresetTables, settings: InstrumentSettings) throws(InstrumentError) {
    library = try LibraryProbe.found()
    let synth = try makeSynth(
      SynthSettings(
        rate: settings.rate, polyphony: settings.polyphony, gain: settings.gain,
        effects: settings.effects, reverbEngine: ReverbEngines.index(of: settings.reverbEngine)))
    do throws(InstrumentError) {
      door = try SoundFontProxy(of: synth, to: tables)
    } catch {
      delete(synth)
      throw error
    }
    self.synth = synth
    self.tables = tables
    sharing = tables.isShared ? .max : 0
    polyphony = Int32(settings.polyphony)
    channels = .allocate(capacity: 16)
    channels.initialize(repeating: StockChannel(), count: 16)
    takenVoices = VoiceOwnership(polyphony: settings.polyphony)
    voiceList = .allocate(capacity: settings.polyphony + 1)
    voiceList.initialize(repeating: nil, count: settings.polyphony + 1)
    presetSupply = .allocate(capacity: 1)
    presetSupply.initialize(to: PresetRequests())
    setLegatoModes()
    requestSamples()
  }

  /// Realtime: no.
  func destroy() {
    delete(synth)
    substitutions.destroy()
    waiting.destroy()
    takenVoices.destroy()
    voiceList.deallocate()
    channels.deallocate()
    presetSupply.deinitialize(count: 1)
    presetSupply.deallocate()
  }

  /// Starts a note, and counts what becomes of it and of those whose voices it takes.
  @_noLocks mutating func startNote(_ channel: Int32, key: Int32, velocity: Int32) {
    statistics.notes += 1
    substitutions.check(synth, channel: channel)
    takenVoices.remember(synth)
    let isStarted = fluid_synth_noteon(synth, channel, key, velocity) == FLUID_OK
    statistics.stolenNotes += takenVoices.count()
    if hasVoice(channel, key: key) { return }
    statistics.silentNotes += 1
    // It fails where no voice is free, and where there is no preset; a channel that is shut has none either.
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
    fluid_synth_get_voicelist(synth, voiceList, polyphony + 1, -1)
    var i = 0
    while i < Int(polyphony), let voice = voiceList[i] {
      if fluid_voice_get_key(voice) == key, fluid_voice_get_channel(voice) == channel {
        return true
      }
      i += 1
    }
    return false
  }

  var isSharing: Bool { @_noLocks get { sharing != 0 } }

  /// What shared presets cannot play as it should be is struck anew; see ``PresetTables``.
  @_noLocks func setLegatoModes() {
    for channel in 0..<Int32(16) { setLegatoMode(channel) }
  }

  @_noLocks private func setLegatoMode(_ channel: Int32) {
    let mode =
      sharing >> UInt16(channel) & 1 == 1
      ? FLUID_CHANNEL_LEGATO_MODE_RETRIGGER : FLUID_CHANNEL_LEGATO_MODE_MULTI_RETRIGGER
    fluid_synth_set_legato_mode(synth, channel, Int32(mode.rawValue))
  }

  /// Takes presets of its own into use, once they are loaded: on each channel when it is silent, for
  /// voices belong to the presets they began with.
  @_noLocks mutating func takeSupplies() {
    guard sharing != 0, let own = presetSupply.pointee.loaded else { return }
    if tables.isShared {
      tables = own
      door.lead(to: own)
    }
    let sounding = soundingChannels
    for channel in 0..<Int32(16) {
      let bit = UInt16(1) << UInt16(channel)
      guard sharing & bit != 0, sounding & bit == 0, selectAgain(channel) else { continue }
      sharing &= ~bit
      setLegatoMode(channel)
    }
  }

  /// Channels that have voices, a bit each.
  private var soundingChannels: UInt16 {
    @_noLocks get {
      guard fluid_synth_get_active_voice_count(synth) > 0 else { return 0 }
      fluid_synth_get_voicelist(synth, voiceList, polyphony + 1, -1)
      var channels: UInt16 = 0
      var i = 0
      while i < Int(polyphony), let voice = voiceList[i] {
        channels |= 1 << UInt16(truncatingIfNeeded: fluid_voice_get_channel(voice))
        i += 1
      }
      return channels
    }
  }

  /// Finds a channel's preset again, behind the door, and leaves what was asked for as it is.
  ///
  /// - Returns: Whether it could; a channel that a mono mode has shut cannot.
  @_noLocks private func selectAgain(_ channel: Int32) -> Bool {
    let played = PresetNumber(playedBy: synth, channel: channel)
    if played == .none { return true }
    var font: Int32 = 0
    var asked = PresetNumber.none
    fluid_synth_get_program(synth, channel, &font, &asked.bank, &asked.program)
    guard
      fluid_synth_program_select(synth, channel, 1, played.bank, played.program) == FLUID_OK
    else { return false }
    fluid_synth_bank_select(synth, channel, asked.bank)
    if asked.program != played.program {
      fluid_synth_program_change(synth, channel, asked.program)
    }
    return true
  }
}
