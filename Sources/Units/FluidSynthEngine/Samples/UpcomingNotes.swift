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
  @_noLocks func notes(in cycle: MIDICycle, after controlSynth: OpaquePointer) -> Notes {
    for channel in 0..<Int32(16) { copyPreset(of: channel, from: controlSynth) }
    return Notes(synth: synth, cycle: cycle)
  }

  struct Notes: BitwiseCopyable {
    fileprivate let synth: OpaquePointer
    fileprivate let cycle: MIDICycle
    private var index = 0

    @_noLocks fileprivate init(synth: OpaquePointer, cycle: MIDICycle) {
      self.synth = synth
      self.cycle = cycle
    }

    /// Returns the next note; `nil` after the last.
    @_noLocks mutating func next() -> NoteSamples.Note? {
      while index < cycle.events.count {
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

    @_noLocks private func follow(_ message: ChannelMessage) -> NoteSamples.Note? {
      let channel = Int32(message.channel)
      if message.startsNote {
        return NoteSamples.Note(
          channel: message.channel, key: message.data1, velocity: message.data2,
          preset: PresetNumber(playedBy: synth, channel: channel))
      }
      if message.kind == .programChange {
        fluid_synth_program_change(synth, channel, Int32(message.data1))
      } else if message.kind == .controlChange, choosesPreset(message.data1) {
        fluid_synth_cc(synth, channel, Int32(message.data1), Int32(message.data2))
      }
      return nil
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
