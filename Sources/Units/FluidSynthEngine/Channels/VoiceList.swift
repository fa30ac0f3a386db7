import CFluidSynth
import RenderCore

/// Memory for the voices that a synth plays.
///
/// Realtime: yes, except for creation.
struct VoiceList: BitwiseCopyable {
  /// The output of `fluid_synth_get_voicelist`: one entry more than there are voices.
  private let voices: UnsafeMutablePointer<OpaquePointer?>
  /// The number of voices that the synth has.
  let polyphony: Int

  init(polyphony: Int, in memory: RenderMemory) {
    voices = memory.make(polyphony + 1, of: nil)
    self.polyphony = polyphony
  }

  /// Lists the voices that `synth` plays, and returns their number.
  @_noLocks func update(from synth: OpaquePointer) -> Int {
    fluid_synth_get_voicelist(synth, voices, Int32(polyphony + 1), -1)
    var count = 0
    while count < polyphony, voices[count] != nil { count += 1 }
    return count
  }

  /// A voice of the last update.
  @_noLocks subscript(_ index: Int) -> OpaquePointer { voices[index]! }

  /// Calls `body` with each voice that `synth` plays.
  @_noLocks func forEach(of synth: OpaquePointer, _ body: (OpaquePointer) -> Void) {
    for i in 0..<update(from: synth) { body(self[i]) }
  }
}
