import CFluidSynth
import RenderCore

/// Finds out which presets the notes of a cycle will play, before the cycle is rendered.
///
/// A synth of its own receives the messages that choose presets: so FluidSynth's own rules for banks, drum
/// channels, resets and replacements decide.
///
/// Realtime: no. Threads: one at a time.
///
/// `@unchecked Sendable`: it belongs to its instrument.
final class SampleLoader: @unchecked Sendable {
  private let synth: OpaquePointer

  /// - Returns: `nil` where all samples are in memory.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init?(for tables: PresetTables) throws(InstrumentError) {
    guard tables.samples != nil else { return nil }
    synth = try makeSynth(
      SynthSettings(
        rate: 48_000, polyphony: 1, gain: 1, effects: Effects(reverb: false, chorus: false)),
      mayRunReverb: false)
    do throws(InstrumentError) {
      _ = try SoundFontProxy(of: synth, to: tables)
    } catch {
      delete(synth)
      throw error
    }
  }

  deinit { delete(synth) }

  /// - Parameters:
  ///   - director: A synth that has received everything up to the cycle.
  ///   - body: Gets each note's preset, key and velocity.
  func follow(
    _ cycle: MIDICycle, after controlSynth: OpaquePointer,
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
        guard count > 0, let bytes = cycle.sysEx.baseAddress else { continue }
        let data = UnsafeRawPointer(bytes + Int(start)).assumingMemoryBound(to: CChar.self)
        fluid_synth_sysex(synth, data, Int32(count), nil, nil, nil, 0)
      case .system: break
      }
    }
  }

  /// Bank select, and the modes that shut channels and open them.
  private func choosesPreset(_ controller: UInt8) -> Bool {
    controller == 0 || controller == 32 || controller >= 120
  }

  /// What no message said, such as a restored state, is not in the cycle.
  private func copyPreset(of channel: Int32, from controlSynth: OpaquePointer) {
    let preset = PresetNumber(playedBy: controlSynth, channel: channel)
    if PresetNumber(playedBy: synth, channel: channel) == preset { return }
    var font: Int32 = 0
    var asked = PresetNumber.none
    fluid_synth_get_program(controlSynth, channel, &font, &asked.bank, &asked.program)
    fluid_synth_bank_select(synth, channel, asked.bank)
    fluid_synth_program_change(synth, channel, asked.program)
    if PresetNumber(playedBy: synth, channel: channel) == preset { return }
    if preset == .none {
      fluid_synth_unset_program(synth, channel)
    } else {
      fluid_synth_program_select(synth, channel, 1, preset.bank, preset.program)
    }
  }
}
