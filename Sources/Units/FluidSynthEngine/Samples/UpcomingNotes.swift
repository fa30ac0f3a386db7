import CFluidSynth
import RenderCore

/// Finds the notes of a cycle and the presets that will play them, before the cycle is rendered, so that their
/// samples can be loaded.
///
/// It sends the messages that select presets to a synth of its own. FluidSynth's rules for banks, drum
/// channels, resets and substitutions therefore apply.
///
/// Realtime: no. Threads: one at a time.
///
/// `@unchecked Sendable`: only its instrument uses it, one thread at a time.
struct UpcomingNotes: @unchecked Sendable {
  private let synth: OpaquePointer

  init(for tables: PresetTables, in memory: RenderMemory) throws(InstrumentError) {
    synth = try makeSynth(.silent, mayRunReverb: false, in: memory)
    _ = try SoundFontProxy(of: synth, to: tables)
  }

  /// Calls `body` for each note that starts in `cycle`.
  ///
  /// - Parameters:
  ///   - cycle: A cycle that has not been rendered.
  ///   - controlSynth: A synth that has received all messages before the cycle.
  ///   - body: Receives the preset, key and velocity of each note.
  func forEach(
    in cycle: MIDICycle, after controlSynth: OpaquePointer,
    _ body: (PresetNumber, UInt8, UInt8) throws(InstrumentError) -> Void
  ) throws(InstrumentError) {
    for channel in 0..<Int32(16) { copyPreset(of: channel, from: controlSynth) }
    for event in cycle.events {
      switch event.content {
      case .channel(let message):
        let channel = Int32(message.channel)
        if message.startsNote {
          try body(PresetNumber(playedBy: synth, channel: channel), message.data1, message.data2)
        } else if message.kind == .programChange {
          fluid_synth_program_change(synth, channel, Int32(message.data1))
        } else if message.kind == .controlChange, choosesPreset(message.data1) {
          fluid_synth_cc(synth, channel, Int32(message.data1), Int32(message.data2))
        }
      case .sysEx(let start, let count):
        if count > 0 { sendSysEx(cycle.sysExBytes(start, count), to: synth) }
      case .system: break
      }
    }
  }

  /// Whether a controller affects the preset: bank select, and the channel mode messages, which disable and
  /// enable channels.
  private func choosesPreset(_ controller: UInt8) -> Bool {
    controller == 0 || controller == 32 || controller >= 120
  }

  /// Copies the selected preset, because it may have been set without a message, such as by restoring a state.
  private func copyPreset(of channel: Int32, from controlSynth: OpaquePointer) {
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
