import CFluidSynth
import FluidSynthEngine

/// A synth of FluidSynth alone, at 48 kHz, with which the engine is compared.
///
/// It is created and deleted while no other SoundFont is loaded, which FluidSynth does not allow.
///
/// `@unchecked Sendable`: one test uses it.
final class PlainSynth: @unchecked Sendable {
  let synth: OpaquePointer
  private let settings: OpaquePointer

  /// - Returns: `nil` without memory, or if the SoundFont cannot be loaded.
  init?(_ soundFont: String, _ set: (OpaquePointer) -> Void = { _ in }) {
    guard let settings = new_fluid_settings() else { return nil }
    fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
    set(settings)
    var synth: OpaquePointer?
    SoundFont.withoutLoading {
      synth = createSynth(settings)
      if let created = synth, fluid_synth_sfload(created, soundFont, 1) == FLUID_FAILED {
        delete_fluid_synth(created)
        synth = nil
      }
    }
    guard let synth else {
      delete_fluid_settings(settings)
      return nil
    }
    (self.synth, self.settings) = (synth, settings)
  }

  deinit {
    SoundFont.withoutLoading { delete_fluid_synth(synth) }
    delete_fluid_settings(settings)
  }
}
