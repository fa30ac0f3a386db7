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
    /// The keys of each channel that are down, to which a monophonic channel may return with another program.
    private var keys = InlineArray<16, LegatoKeys>(repeating: LegatoKeys())
    /// The channel whose program has changed, and the number of its keys whose notes are still to be returned.
    private var changed: UInt8 = 0
    private var remaining = 0

    @_noLocks fileprivate init(synth: OpaquePointer, cycle: MIDICycle, _ engine: Engine) {
      self.synth = synth
      self.cycle = cycle
      for channel in 0..<UInt8(16) { keys[Int(channel)] = engine.keys(of: channel) }
    }

    /// Returns the next note; `nil` after the last.
    @_noLocks mutating func next() -> NoteSamples.Note? {
      while remaining > 0 || index < cycle.events.count {
        if remaining > 0 {
          remaining -= 1
          let key = keys[Int(changed)][remaining]
          return note(changed, key: key.key, velocity: key.velocity)
        }
        let content = cycle.events[index].content
        index += 1
        switch content {
        case .channel(let message):
          if let note = follow(message) { return note }
        case .sysEx(let start, let count):
          if count > 0 { sendSysEx(cycle.sysExBytes(start, count), to: synth) }
        case .system: break
        }
      }
      return nil
    }

    @_noLocks private mutating func follow(_ message: ChannelMessage) -> NoteSamples.Note? {
      let channel = Int32(message.channel)
      if message.startsNote {
        keys[Int(channel)].strike(
          LegatoKeys.Key(message.data1, velocity: message.data2, note: 0), isMono: true)
        return note(message.channel, key: message.data1, velocity: message.data2)
      }
      if message.endsNote {
        _ = keys[Int(channel)].releaseMono(message.data1, isPortamento: false)
      } else if message.kind == .programChange {
        fluid_synth_program_change(synth, channel, Int32(message.data1))
        (changed, remaining) = (message.channel, keys[Int(channel)].count)
      } else if message.kind == .controlChange, choosesPreset(message.data1) {
        fluid_synth_cc(synth, channel, Int32(message.data1), Int32(message.data2))
      }
      return nil
    }

    @_noLocks private func note(_ channel: UInt8, key: UInt8, velocity: UInt8) -> NoteSamples.Note {
      NoteSamples.Note(
        channel: channel, key: key, velocity: velocity,
        preset: PresetNumber(playedBy: synth, channel: Int32(channel)))
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
