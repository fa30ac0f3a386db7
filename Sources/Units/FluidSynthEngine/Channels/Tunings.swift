import CFluidSynth
import RenderCore

/// The key pitches set by MIDI tuning messages: one table per channel.
///
/// A tuning is identified by a number that increases with every change, so comparing numbers shows whether
/// a lane is up to date.
struct Tunings {
  /// 16 tables of 128 pitches in cents. The table of number n belongs to channel n mod 16.
  let pitches: UnsafeMutablePointer<Double>
  private let library: LibraryProbe

  init(_ library: LibraryProbe, in memory: RenderMemory) {
    self.library = library
    pitches = memory.make(16 * 128, of: 0)
  }

  @_noLocks func table(ofChannel channel: UInt8) -> UnsafeMutablePointer<Double> {
    pitches + Int(channel) * 128
  }

  /// Sets the tuning of the first channel of `synth`.
  ///
  /// Realtime: no, because FluidSynth allocates a table. This happens only for music with tuning messages.
  @_noLocks func apply(_ number: UInt32, to synth: OpaquePointer, soundingToo: Bool) {
    let apply: Int32 = soundingToo ? 1 : 0
    if number == 0, !library.hasDefaultTuning {
      fluid_synth_deactivate_tuning(synth, 0, apply)
      return
    }
    // Without a table FluidSynth uses equal temperament.
    let table = number == 0 ? nil : table(ofChannel: UInt8(number % 16))
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { name in
      name[0] = 0
      let text = name.baseAddress!.assumingMemoryBound(to: CChar.self)
      fluid_synth_activate_key_tuning(synth, 0, 0, text, table, apply)
    }
    fluid_synth_activate_tuning(synth, 0, 0, 0, apply)
  }
}
