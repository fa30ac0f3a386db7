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
  ///   - controlSynth: A synth that has received all messages before the cycle.
  ///   - module: What the instrument keeps beside it.
  @_noLocks func notes(
    in cycle: MIDICycle, after controlSynth: OpaquePointer, _ module: SoundModule
  ) -> Notes {
    for channel in 0..<Int32(16) { copyPreset(of: channel, from: controlSynth) }
    return Notes(synth: synth, cycle: cycle, module: module.preview)
  }

  struct Notes: BitwiseCopyable {
    fileprivate let synth: OpaquePointer
    fileprivate let cycle: MIDICycle
    private var index = 0
    private var module: SoundModule
    /// The last note-on and the parts that have not played it yet, one bit per part.
    private var noteOn: ChannelMessage?
    private var parts: UInt16 = 0

    @_noLocks fileprivate init(synth: OpaquePointer, cycle: MIDICycle, module: SoundModule) {
      self.synth = synth
      self.cycle = cycle
      self.module = module
    }

    /// Returns the next note; `nil` after the last.
    @_noLocks mutating func next() -> NoteSamples.Note? {
      while true {
        if let note = nextPart() { return note }
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
      return NoteSamples.Note(
        channel: part, key: module.soundingKey(noteOn.data1, of: part), velocity: noteOn.data2,
        preset: PresetNumber(playedBy: synth, channel: Int32(part)))
    }

    @_noLocks private mutating func followInParts(_ message: ChannelMessage) {
      while parts != 0 {
        let part = UInt8(parts.trailingZeroBitCount)
        parts &= parts - 1
        follow(ChannelMessage(message.kind, channel: part, message.data1, message.data2))
      }
    }

    /// Follows a message of a part.
    @_noLocks private mutating func follow(_ message: ChannelMessage) {
      if message.kind == .controlChange, choosesPreset(message.data1) {
        fluid_synth_cc(
          synth, Int32(message.channel), Int32(message.data1), Int32(message.data2))
      }
      module.select(message, in: synth)
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
