import CFluidSynth

/// All that the render thread of a stock instrument works on.
struct StockState {
  let synth: OpaquePointer
  private let door: SoundFontDoor
  private var tables: PresetTables
  let presetSupply: UnsafeMutablePointer<PresetSupply>
  /// Channels that still play from shared presets, a bit each; all other play from the synth's own.
  private var sharing: UInt16
  /// Where `fluid_synth_get_voicelist` writes: one more than there are voices.
  private let voiceList: UnsafeMutablePointer<OpaquePointer?>
  private let polyphony: Int32
  /// Channels that have changed since somebody last asked, a bit each.
  var touched: UInt16 = 0
  /// By how many cents everything is tuned up.
  var masterTuning: Float = 0
  var statistics = Statistics()
  var substitutions = Substitutions()

  /// - Parameter tables: They must outlive the state.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(tables: PresetTables, settings: InstrumentSettings) throws(InstrumentError) {
    let synth = try makeSynth(
      SynthSettings(
        rate: settings.rate, polyphony: settings.polyphony, gain: settings.gain,
        effects: settings.effects))
    do throws(InstrumentError) {
      door = try SoundFontDoor(of: synth, to: tables)
    } catch {
      delete(synth)
      throw error
    }
    self.synth = synth
    self.tables = tables
    sharing = tables.isShared ? .max : 0
    polyphony = Int32(settings.polyphony)
    voiceList = .allocate(capacity: settings.polyphony + 1)
    voiceList.initialize(repeating: nil, count: settings.polyphony + 1)
    presetSupply = .allocate(capacity: 1)
    presetSupply.initialize(to: PresetSupply())
    setLegatoModes()
  }

  /// Realtime: no.
  func destroy() {
    delete(synth)
    substitutions.destroy()
    voiceList.deallocate()
    presetSupply.deinitialize(count: 1)
    presetSupply.deallocate()
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
