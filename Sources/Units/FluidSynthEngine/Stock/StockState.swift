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
  private let outputPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
  /// The settings by System Exclusive, and the choice of presets.
  var module: SoundModule
  var effectControls = EffectControls()
  var masterGain = StockMasterGain()
  /// The parts that have had a scale tuning since the last reset, one bit per part.
  private var scaledParts: UInt16 = 0
  /// The tuning that the unit's parameter sets, in cents.
  var masterTuning: Float = 0
  /// The offsets of generators that the unit's parameters set.
  var offsets = GeneratorOffsets()
  var statistics = Statistics()
  var substitutions: Substitutions
  var samples: NoteSamples

  /// Creates the state of an instrument.
  ///
  /// - Parameter soundFont: Must outlive the state.
  init(
    _ soundFont: PlayedSoundFont, settings: InstrumentSettings, in memory: RenderMemory
  ) throws(InstrumentError) {
    library = try .found(for: settings.bankStyle)
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
  @_noLocks private func setLegatoModes() {
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

// The dry sound of each MIDI channel, and the effects, apart. The library separates them.
extension StockState {
  private static var dryCount: Int { @_noLocks get { 2 * ChannelOutputs.midiChannels } }
  /// The dry channels; then left and right of the reverb, and of the chorus.
  private static var outputPointerCount: Int { dryCount + 4 }

  /// Renders a cycle, or a part of one, as ``render(_:begin:left:right:)`` does.
  @_noLocks mutating func render(_ cycle: MIDICycle, begin: Int, into output: ChannelOutputs) {
    guard let pointers = outputPointers else { return }
    // The library adds to its outputs.
    for channel in 0..<ChannelOutputs.count {
      (output[channel] + begin).update(repeating: 0, count: cycle.frames)
    }
    let synth = synth
    render(cycle, begin: begin) { gain, done, count in
      let first = begin + done
      for channel in 0..<Self.dryCount { pointers[channel] = output[channel] + first }
      let effects = pointers + Self.dryCount
      for effect in 0..<2 {
        effects[2 * effect] = output.wetLeft + first
        effects[2 * effect + 1] = output.wetRight + first
      }
      fluid_synth_process(synth, Int32(count), 4, effects, Int32(Self.dryCount), pointers)
      for channel in 0..<ChannelOutputs.count {
        gain.apply(to: output[channel] + first, side: channel % 2, count)
      }
    }
  }
}

extension StockState {
  /// Renders a cycle, or a part of one.
  ///
  /// - Parameters:
  ///   - begin: The frame of the whole cycle at which the part begins. Event offsets count from the start
  ///     of the whole cycle.
  ///   - left: Receives `cycle.frames` samples.
  ///   - right: The same for the right channel.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int = 0, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    let synth = synth
    render(cycle, begin: begin) { gain, done, count in
      fluid_synth_write_float(synth, Int32(count), left + done, 0, 1, right + done, 0, 1)
      gain.apply(to: left + done, side: 0, count)
      gain.apply(to: right + done, side: 1, count)
    }
  }

  /// Renders a cycle, or a part of one.
  ///
  /// - Parameter write: Makes the call that renders a number of frames, the first of which is given as a frame of the
  ///   part, and applies the master gain to them.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int,
    write: (_ gain: StockMasterGain, _ done: Int, _ count: Int) -> Void
  ) {
    adoptSupplies()
    startWaitingNotes()
    var done = 0
    for event in cycle.events {
      let offset = min(Int(event.offset) - begin, cycle.frames - 1)
      if offset > done {
        write(masterGain, done, offset - done)
        masterGain.advance(offset - done)
        done = offset
      }
      switch event.content {
      case .channel(let message): handle(message)
      case .sysEx(let start, let count):
        if count > 0 { handleSysEx(cycle.sysExBytes(start, count)) }
      case .system: break
      }
    }
    write(masterGain, done, cycle.frames - done)
    masterGain.advance(cycle.frames - done)
    let voices = Int(fluid_synth_get_active_voice_count(synth))
    statistics.mostVoices = max(statistics.mostVoices, voices)
    requestSamples()
  }

  /// Handles a message of a MIDI channel: each part that plays the channel handles it.
  @_noLocks private mutating func handle(_ message: ChannelMessage) {
    requestPresets(for: message)
    var parts = module.parts(playing: message.channel)
    if parts == 0, message.startsNote {
      statistics.notes += 1
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
    }
    var isFirst = true
    while parts != 0 {
      let part = UInt8(parts.trailingZeroBitCount)
      parts &= parts - 1
      send(module.message(message, for: part), isFirst: isFirst)
      isFirst = false
    }
  }

  /// Makes the calls for a message of a part. A note whose samples are not in memory waits for them.
  ///
  /// - Parameter isFirst: `false` if another part has handled the message, so that its note has been counted.
  @_noLocks private mutating func send(_ message: ChannelMessage, isFirst: Bool = true) {
    followKey(message)
    let channel = Int32(message.channel)
    let data1 = Int32(message.data1)
    let data2 = Int32(message.data2)
    switch message.kind {
    case .noteOff: fluid_synth_noteoff(synth, channel, data1)
    case .noteOn where data2 > 0:
      let note = NoteSamples.Note(
        channel: message.channel, key: message.data1, velocity: message.data2,
        preset: PresetNumber(playedBy: synth, channel: channel))
      if samples.find(for: note) {
        startNote(channel, key: data1, velocity: data2, isFirst: isFirst)
      } else {
        statistics.unloadedNotes += 1
      }
    case .noteOn: fluid_synth_noteon(synth, channel, data1, data2)
    case .keyPressure: fluid_synth_key_pressure(synth, channel, data1, data2)
    case .controlChange:
      let setsGenerators = library.setsGenerators(message.data1)
      if setsGenerators { offsets.remove(from: synth, reachedFrom: message.channel) }
      _ = channels[Int(channel)].send(
        message.data1, message.data2, to: synth, channel: channel, library)
      if setsGenerators { offsets.add(to: synth, reachedFrom: message.channel) }
      module.select(message, in: synth)
    case .programChange: module.select(message, in: synth)
    case .channelPressure: fluid_synth_channel_pressure(synth, channel, data1)
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend))
    }
    if !message.startsNote, !message.endsNote { trackChange(message) }
  }

  @_noLocks private mutating func followKey(_ message: ChannelMessage) {
    let channel = Int(message.channel)
    if message.startsNote {
      keys[channel].strike(
        LegatoKeys.Key(message.data1, velocity: message.data2, note: 0), isMono: true)
    } else if message.endsNote {
      samples.release(message.channel, key: message.data1)
      _ = keys[channel].releaseMono(message.data1, isPortamento: false)
    }
  }

  @_noLocks private mutating func trackChange(_ message: ChannelMessage) {
    changedChannels |= 1 << UInt16(message.channel)
    guard message.kind == .controlChange else { return }
    let channel = Int32(message.channel)
    _ = channels[Int(message.channel)].follow(message.data1, synth, channel: channel, library)
    if message.data1 >= 120 { samples.release(message.channel, key: nil) }
    // A mode change affects a group of channels.
    if message.data1 >= 124 { changedChannels = .max }
    if message.data1 == Controller.resetAll {
      channels[Int(message.channel)].parameters.resetControllers()
      tuneAfterReset(message.channel)
    }
  }

  @_noLocks private mutating func handleSysEx(_ bytes: UnsafeBufferPointer<UInt8>) {
    changedChannels = .max
    if module.isPassive {
      for channel in 0..<Int32(16) { offsets.remove(from: synth, channel: channel) }
      if sendSysEx(bytes, to: synth) { forgetChannels() }
      module.readRequests(from: synth)
      setLegatoModes()
      for channel in 0..<UInt8(16) { restoreParameters(channel) }
      samples.releaseAll()
      return
    }
    var message = SystemExclusive(bytes)
    while let meaning = message.next() {
      switch module.follow(meaning) {
      case .nothing: break
      case .reset:
        fluid_synth_system_reset(synth)
        forgetChannels()
        setLegatoModes()
        samples.releaseAll()
        for channel in 0..<UInt8(16) { restoreParameters(channel) }
        masterGain.set(module.settings.master.gain, isSounding: false)
        effectControls.setFactors(module.settings.effects, reverb: synth, chorus: synth)
      case .masterGain:
        masterGain.set(
          module.settings.master.gain,
          isSounding: fluid_synth_get_active_voice_count(synth) > 0)
      case .masterTuning: for channel in 0..<UInt8(16) { tune(channel) }
      case .tuning(let part): tune(part)
      case .scale(let part): setScale(of: part)
      case .effects:
        effectControls.setFactors(module.settings.effects, reverb: synth, chorus: synth)
      case .library: sendTuning(bytes, to: synth)
      }
      var index = 0
      while let message = module.message(index, of: meaning) {
        requestPresets(for: message)
        send(message)
        index += 1
      }
    }
  }

  /// Restores what System Exclusive has set, as a saved state does.
  @_noLocks mutating func restore(_ settings: ModuleSettings) {
    let before = module.settings
    module.restore(settings)
    masterGain.set(settings.master.gain, isSounding: false)
    effectControls.setFactors(settings.effects, reverb: synth, chorus: synth)
    for part in 0..<UInt8(16) {
      tune(part)
      if !settings[part].hasScale(of: before[part]) { setScale(of: part) }
    }
  }

  @_noLocks private mutating func setScale(of part: UInt8) {
    if scaledParts >> UInt16(part) & 1 == 0, !module.hasScale(part) { return }
    scaledParts |= 1 << UInt16(part)
    module.applyScale(of: part, to: synth, soundingToo: true)
  }

  @_noLocks private mutating func forgetChannels() {
    channels = InlineArray(repeating: DataEntry())
    keys = InlineArray(repeating: LegatoKeys())
    scaledParts = 0
  }

  /// Sets the master tuning in cents. Sounding notes follow from the next block on.
  @_noLocks mutating func tune(_ cents: Float) {
    masterTuning = cents
    for channel in 0..<UInt8(16) { tune(channel) }
  }

  @_noLocks private func tune(_ channel: UInt8) {
    fluid_synth_set_gen(
      synth, Int32(channel), Int32(GEN_PITCH.rawValue), masterTuning + module.tuning(of: channel))
  }

  /// Restores the tuning of a channel after a reset, which clears it.
  @_noLocks private func tuneAfterReset(_ channel: UInt8) {
    if masterTuning + module.tuning(of: channel) != 0 { tune(channel) }
  }

  /// Restores what parameters set for a channel. The offsets must have been removed or cleared.
  @_noLocks mutating func restoreParameters(_ channel: UInt8) {
    tuneAfterReset(channel)
    offsets.add(to: synth, channel: Int32(channel))
  }

  /// Switches the effects on or off.
  @_noLocks func setEffects(_ effects: Effects) {
    fluid_synth_reverb_on(synth, -1, effects.reverb ? 1 : 0)
    fluid_synth_chorus_on(synth, -1, effects.chorus ? 1 : 0)
  }
}

/// The master volume and balance by System Exclusive, in the output of a stock instrument. A change while notes sound
/// takes 64 frames.
///
/// Realtime: yes.
struct StockMasterGain: BitwiseCopyable {
  private var gain = MasterGain.unity
  private var target = MasterGain.unity
  /// The number of frames until the target is reached, and the change per frame.
  private var frames = 0
  private var step = SIMD2<Float>(repeating: 0)

  @_noLocks mutating func set(_ gain: SIMD2<Float>, isSounding: Bool) {
    target = gain
    if !isSounding { self.gain = gain }
    frames = isSounding ? Lane.blockFrames : 0
    step = (target - self.gain) / Float(Lane.blockFrames)
  }

  /// Multiplies the next frames of one side of the output.
  @_noLocks func apply(to samples: UnsafeMutablePointer<Float>, side: Int, _ count: Int) {
    if frames == 0, target[side] == 1 { return }
    let ramp = min(frames, count)
    for i in 0..<ramp { samples[i] *= gain[side] + step[side] * Float(i + 1) }
    for i in ramp..<count { samples[i] *= target[side] }
  }

  @_noLocks mutating func advance(_ count: Int) {
    let ramp = min(frames, count)
    frames -= ramp
    gain = frames == 0 ? target : gain + step * Float(ramp)
  }
}
