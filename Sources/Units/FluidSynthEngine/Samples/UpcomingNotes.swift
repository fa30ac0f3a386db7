import CFluidSynth
import RenderCore

/// Finds the notes of a cycle and the presets that will play them, before the cycle is rendered, so that their
/// samples can be loaded.
///
/// It sends the messages that select presets to a synth of its own. FluidSynth's rules for banks, drum
/// channels, resets and substitutions therefore apply.
///
/// Realtime: yes, except for creation. Threads: one at a time.
///
/// `@unchecked Sendable`: only its instrument uses it, one thread at a time.
struct UpcomingNotes: @unchecked Sendable, BitwiseCopyable {
  private let synth: OpaquePointer

  init(for tables: PresetTables, in memory: RenderMemory) throws(InstrumentError) {
    synth = try makeSynth(.silent, mayRunReverb: false, in: memory)
    _ = try SoundFontProxy(of: synth, to: tables)
  }

  /// Returns the notes that start in `cycle`, one by one.
  ///
  /// - Parameters:
  ///   - cycle: A cycle that has not been rendered.
  ///   - engine: It has received all messages before the cycle.
  @_noLocks func notes(in cycle: MIDICycle, after engine: Engine) -> Notes {
    for channel in 0..<Int32(16) { copyPreset(of: channel, from: engine.synth) }
    return Notes(synth: synth, cycle: cycle, engine)
  }

  struct Notes: BitwiseCopyable {
    fileprivate let synth: OpaquePointer
    fileprivate let cycle: MIDICycle
    private var index = 0
    private var module: SoundModule
    /// The last note-on and the parts that have not played it yet, one bit per part.
    private var noteOn: ChannelMessage?
    private var parts: UInt16 = 0
    /// The keys of each part that are down, to which a monophonic part may return with another program.
    private var keys = InlineArray<16, LegatoKeys>(repeating: LegatoKeys())
    /// The parts whose programs have changed and whose keys are to be returned, one bit per part, and the next key of
    /// the first of them.
    private var changedParts: UInt16 = 0
    private var keyIndex = 0

    @_noLocks fileprivate init(synth: OpaquePointer, cycle: MIDICycle, _ engine: Engine) {
      self.synth = synth
      self.cycle = cycle
      module = engine.module.preview
      for part in 0..<UInt8(16) { keys[Int(part)] = engine.keys(of: part) }
    }

    /// Returns the next note; `nil` after the last.
    @_noLocks mutating func next() -> NoteSamples.Note? {
      while true {
        if let note = nextPart() { return note }
        if let note = nextReturn() { return note }
        guard index < cycle.events.count else { return nil }
        let content = cycle.events[index].content
        index += 1
        switch content {
        case .channel(let message):
          parts = module.parts(playing: message.channel)
          if message.startsNote {
            noteOn = message
          } else {
            followInParts(message)
          }
        case .sysEx(let start, let count):
          if count > 0 { follow(cycle.sysExBytes(start, count)) }
        case .system: break
        }
      }
    }

    /// The note of the next part that plays the last note-on.
    @_noLocks private mutating func nextPart() -> NoteSamples.Note? {
      guard let noteOn, parts != 0 else { return nil }
      let part = UInt8(parts.trailingZeroBitCount)
      parts &= parts - 1
      let key = module.soundingKey(noteOn.data1, of: part)
      let velocity = module.soundingVelocity(noteOn.data2)
      keys[Int(part)].strike(LegatoKeys.Key(key, velocity: velocity, note: 0), isMono: true)
      return note(part, key: key, velocity: velocity)
    }

    /// The note of the next key that is down in a part whose program has changed.
    @_noLocks private mutating func nextReturn() -> NoteSamples.Note? {
      while changedParts != 0 {
        let part = UInt8(changedParts.trailingZeroBitCount)
        if keyIndex < keys[Int(part)].count {
          let key = keys[Int(part)][keyIndex]
          keyIndex += 1
          return note(part, key: key.key, velocity: key.velocity)
        }
        changedParts &= changedParts - 1
        keyIndex = 0
      }
      return nil
    }

    @_noLocks private mutating func followInParts(_ message: ChannelMessage) {
      while parts != 0 {
        let part = UInt8(parts.trailingZeroBitCount)
        parts &= parts - 1
        follow(ChannelMessage(message.kind, channel: part, message.data1, message.data2))
      }
    }

    /// Follows a message of a part that is no note-on.
    @_noLocks private mutating func follow(_ message: ChannelMessage) {
      let part = message.channel
      if message.endsNote {
        _ = keys[Int(part)].releaseMono(
          module.soundingKey(message.data1, of: part), isPortamento: false)
        return
      }
      if message.kind == .controlChange, choosesPreset(message.data1) {
        fluid_synth_cc(synth, Int32(part), Int32(message.data1), Int32(message.data2))
      }
      module.select(message, in: synth)
      if message.kind == .programChange { changedParts |= 1 << UInt16(part) }
    }

    @_noLocks private mutating func follow(_ bytes: UnsafeBufferPointer<UInt8>) {
      if module.isPassive {
        sendSysEx(bytes, to: synth)
        return
      }
      var message = SystemExclusive(bytes)
      while let meaning = message.next() {
        if case .reset = module.follow(meaning) { fluid_synth_system_reset(synth) }
        var index = 0
        while let message = module.message(index, of: meaning) {
          follow(message)
          index += 1
        }
      }
    }

    @_noLocks private func note(_ part: UInt8, key: UInt8, velocity: UInt8) -> NoteSamples.Note {
      NoteSamples.Note(
        channel: part, key: key, velocity: velocity,
        preset: PresetNumber(playedBy: synth, channel: Int32(part)))
    }

    /// Whether a controller affects the preset: bank select, and the channel mode messages, which disable and
    /// enable channels.
    @_noLocks private func choosesPreset(_ controller: UInt8) -> Bool {
      controller == 0 || controller == 32 || controller >= 120
    }
  }

  /// Copies the selected preset, because it may have been set without a message, such as by restoring a state.
  @_noLocks private func copyPreset(of channel: Int32, from controlSynth: OpaquePointer) {
    let preset = PresetNumber(playedBy: controlSynth, channel: channel)
    if PresetNumber(playedBy: synth, channel: channel) == preset { return }
    var font: Int32 = 0
    var requested = PresetNumber.none
    fluid_synth_get_program(controlSynth, channel, &font, &requested.bank, &requested.program)
    fluid_synth_bank_select(synth, channel, requested.bank)
    fluid_synth_program_change(synth, channel, requested.program)
    if PresetNumber(playedBy: synth, channel: channel) == preset { return }
    if preset == .none {
      fluid_synth_unset_program(synth, channel)
    } else {
      fluid_synth_program_select(synth, channel, 1, preset.bank, preset.program)
    }
  }
}
