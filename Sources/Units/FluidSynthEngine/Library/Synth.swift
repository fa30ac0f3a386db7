import CFluidSynth
import CFluidSynthOverrides
import RenderCore
import Synchronization

/// The settings in which the synths differ; all others are the same for all synths.
struct SynthSettings: Hashable {
  /// Frames per second: 8000…96000.
  var rate: Int
  /// The number of voices: 1…65535.
  var polyphony: Int
  /// Linear, in FluidSynth's scale: 0.2 is its default.
  var gain: Double
  var effects: Effects
  /// An index into ``ReverbEngines``; `nil` is the library's default. Lanes have these settings too, so a
  /// name, whose storage is reference-counted, is not used.
  var reverbEngine: Int?
  /// The number of stereo outputs for the dry sound: 1, or 16 for one per MIDI channel.
  var dryOutputs = 1

  /// The settings of a synth that does not render.
  static let silent = SynthSettings(rate: 48_000, polyphony: 1, gain: 1, effects: .none)
}

/// Creates a synth with its own settings; ``delete(_:)`` frees both. Realtime: no.
///
/// - Parameters:
///   - mayRunReverb: Whether its reverb may ever run; see ``newSynth(_:mayRunReverb:)``.
///   - locksSamples: Whether the SoundFonts that it loads are locked in memory, which reads them
///     completely.
func makeSynth(
  _ settings: SynthSettings, mayRunReverb: Bool = true, locksSamples: Bool = true
) throws(InstrumentError) -> OpaquePointer {
  let values = try makeLibrarySettings(settings)
  if !locksSamples { fluid_settings_setint(values, "synth.lock-memory", 0) }
  do throws(InstrumentError) {
    return try newSynth(values, mayRunReverb: mayRunReverb)
  } catch {
    delete_fluid_settings(values)
    throw error
  }
}

/// Creates a synth with its own settings, which `memory` deletes. Realtime: no.
func makeSynth(
  _ settings: SynthSettings, mayRunReverb: Bool = true, in memory: RenderMemory
) throws(InstrumentError) -> OpaquePointer {
  let synth = try makeSynth(settings, mayRunReverb: mayRunReverb)
  memory.onRelease { delete(synth) }
  return synth
}

/// Creates a synth with settings that may be shared. A synth whose reverb never runs takes less memory. Realtime: no.
func newSynth(
  _ librarySettings: OpaquePointer, mayRunReverb: Bool
) throws(InstrumentError) -> OpaquePointer {
  override_library()
  spare_reverb_lines(!mayRunReverb)
  defer { spare_reverb_lines(false) }
  guard let synth = createSynth(librarySettings) else { throw .outOfMemory }
  return synth
}

/// Whether a synth has been created.
private let hasCreatedSynth = Mutex(false)

/// Creates a synth as `new_fluid_synth` does, but no other one beside the first of the process: FluidSynth (2.3 to 2.6) marks its
/// default modulators as made before it makes them, so the second synth may lack some. Realtime: no.
package func createSynth(_ librarySettings: OpaquePointer) -> OpaquePointer? {
  var first: OpaquePointer?
  hasCreatedSynth.withLock { hasCreated in
    if !hasCreated { first = new_fluid_synth(librarySettings) }
    hasCreated = true
  }
  return first ?? new_fluid_synth(librarySettings)
}

/// Creates settings that satisfy the preconditions of ``CFluidSynth``'s realtime guarantees. Realtime: no.
func makeLibrarySettings(_ settings: SynthSettings) throws(InstrumentError) -> OpaquePointer {
  guard let values = new_fluid_settings() else { throw .outOfMemory }
  fluid_settings_setnum(values, "synth.sample-rate", Double(settings.rate))
  fluid_settings_setint(values, "synth.polyphony", Int32(settings.polyphony))
  fluid_settings_setnum(values, "synth.gain", settings.gain)
  fluid_settings_setint(values, "synth.reverb.active", settings.effects.reverb ? 1 : 0)
  fluid_settings_setint(values, "synth.chorus.active", settings.effects.chorus ? 1 : 0)
  if let engine = settings.reverbEngine {
    fluid_settings_setstr(
      values, ReverbEngines.setting, ReverbEngines.available.names[engine])
  }
  if settings.dryOutputs > 1 {
    // The library plays MIDI channel k on the outputs of group k modulo the number of groups.
    fluid_settings_setint(values, "synth.audio-channels", Int32(settings.dryOutputs))
    fluid_settings_setint(values, "synth.audio-groups", Int32(settings.dryOutputs))
  }
  // Only one thread uses a synth, so it needs no mutex. Samples stay in memory, so the render thread reads no file.
  fluid_settings_setint(values, "synth.threadsafe-api", 0)
  fluid_settings_setint(values, "synth.dynamic-sample-loading", 0)
  return values
}

/// Deletes a synth and its settings. Realtime: no.
func delete(_ synth: OpaquePointer) {
  let settings = fluid_synth_get_settings(synth)
  delete_fluid_synth(synth)
  delete_fluid_settings(settings)
}

/// Makes a synth output the signals that its voices send to reverb and chorus, before any effect.
///
/// The effect units are switched off by number. The deprecated setters then set only the flags of the
/// mixer, so that voices still write their sends. FluidSynth 2.0 to 2.6 behave so, but do not document it;
/// ``LibraryCapabilities`` tests it at every start.
func enableRawSends(of synth: OpaquePointer, _ effects: Effects) {
  fluid_synth_reverb_on(synth, -1, 0)
  fluid_synth_chorus_on(synth, -1, 0)
  set_mixer_reverb(synth, effects.reverb ? 1 : 0)
  set_mixer_chorus(synth, effects.chorus ? 1 : 0)
}
