import CFluidSynth
import CFluidSynthOverrides
import RenderCore

/// A synth without a SoundFont file, whose only preset plays short voices of an exclusive class. It never renders.
///
/// Realtime: no.
struct ProbeSynth {
  let synth: OpaquePointer
  private let sample: OpaquePointer
  private static let frames = 64
  /// In timecents; a value that neither the library nor a SoundFont is likely to use.
  private static let ownRelease: Float = 1234

  init(in memory: RenderMemory) throws(InstrumentError) {
    quietLibrary()
    sample = try makeSample(
      memory.make(Self.frames, of: 0), frames: Self.frames, rate: 48_000, in: memory)
    guard let font = new_fluid_sfont(name, presetOfProbe, nil, nil, removeFont),
      let preset = new_fluid_preset(font, name, number, number, startVoice, removePreset)
    else { throw .outOfMemory }
    memory.onRelease { delete_fluid_preset(preset) }
    synth = try makeSynth(
      SynthSettings(rate: 48_000, polyphony: 2, gain: 1, effects: .none), mayRunReverb: false,
      in: memory)
    fluid_preset_set_data(preset, UnsafeMutableRawPointer(sample))
    fluid_sfont_set_data(font, UnsafeMutableRawPointer(preset))
    fluid_synth_add_sfont(synth, font)
  }

  /// Whether the pointers of a new synth are found.
  static var hasMixPointers: Bool {
    guard let settings = try? makeLibrarySettings(.silent) else { return false }
    defer { delete_fluid_settings(settings) }
    guard let made = try? LaneSynth(settings, mayRunReverb: false) else { return false }
    defer { made.delete() }
    return made.mixPointers != nil
  }

  /// Limits the pitch of voices, and returns whether that is possible. No voice must have been started.
  var limitsPitch: Bool {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 100) else { return false }
    return pitch_limit_find(UnsafeMutableRawPointer(voice))
  }

  /// Plays a second note of the class, and reads how it changed the voice of the first.
  func choke() -> LibraryProbe.Choke {
    var voices: [OpaquePointer?] = [nil, nil]
    fluid_synth_noteon(synth, 0, 60, 100)
    fluid_synth_get_voicelist(synth, &voices, 2, -1)
    fluid_synth_noteon(synth, 0, 61, 100)
    guard let choked = voices[0] else { return LibraryProbe.Choke() }
    func release(_ generator: fluid_gen_type) -> Float? {
      let value = fluid_voice_gen_get(choked, Int32(generator.rawValue))
      return value == Self.ownRelease ? nil : value
    }
    return LibraryProbe.Choke(
      volumeRelease: release(GEN_VOLENVRELEASE), modulationRelease: release(GEN_MODENVRELEASE))
  }

  /// Enters a bend range of 5 semitones, sets it to 2 with a function, and sends controller 38.
  var acceptsDataEntryLSB: Bool {
    select(registered: 0)
    control(6, 5)
    fluid_synth_pitch_wheel_sens(synth, 0, 2)
    control(38, 0)
    return bendRange == 5
  }

  /// Sends controller 38 for a SoundFont's attenuation, without controller 6.
  var entersIncompleteParameters: Bool {
    let generator = Int32(GEN_ATTENUATION.rawValue)
    control(99, 120)
    control(98, generator)
    control(38, 127)
    defer {
      fluid_synth_set_gen(synth, 0, generator, 0)
      control(38, 0)
    }
    return fluid_synth_get_gen(synth, 0, generator) != 0
  }

  /// Enters a bend range of 5 semitones and more than 100 cents.
  var hasBendRangeCents: Bool {
    select(registered: 0)
    control(38, 127)
    control(6, 5)
    defer { control(38, 0) }
    return bendRange == 6
  }

  /// Enters the only AWE32 parameter that has a getter: 16 is pitch bend.
  var hasAWE32Parameters: Bool {
    control(99, 127)
    control(98, 16)
    control(6, 10)
    var bend: Int32 = 0
    fluid_synth_get_pitch_bend(synth, 0, &bend)
    return bend / 128 == 10
  }

  var glidesOnEveryNote: Bool {
    var mode: Int32 = -1
    fluid_synth_get_portamento_mode(synth, 0, &mode)
    return mode == Int32(FLUID_CHANNEL_PORTAMENTO_MODE_EACH_NOTE.rawValue)
  }

  var hasDefaultTuning: Bool {
    var pitches = [Double](repeating: 0, count: 128)
    return fluid_synth_tuning_dump(synth, 0, 0, nil, 0, &pitches) == FLUID_OK
  }

  private var bendRange: Int32 {
    var semitones: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth, 0, &semitones)
    return semitones
  }

  private func select(registered parameter: Int32) {
    control(101, 0)
    control(100, parameter)
  }

  private func control(_ number: Int32, _ value: Int32) {
    fluid_synth_cc(synth, 0, number, value)
  }

  /// Starts a voice with the generators that ``choke()`` examines.
  fileprivate static func start(_ sample: OpaquePointer, in synth: OpaquePointer, key: Int32) {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, key, 100) else { return }
    fluid_voice_gen_set(voice, Int32(GEN_EXCLUSIVECLASS.rawValue), 1)
    fluid_voice_gen_set(voice, Int32(GEN_VOLENVRELEASE.rawValue), ownRelease)
    fluid_voice_gen_set(voice, Int32(GEN_MODENVRELEASE.rawValue), ownRelease)
    fluid_synth_start_voice(synth, voice)
  }
}

private func name(_: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafePointer(empty)
}

/// Never freed, because C code keeps the pointer.
nonisolated(unsafe) private let empty = {
  let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  text.initialize(to: 0)
  return text
}()

private func number(_: OpaquePointer?) -> Int32 { 0 }

private func presetOfProbe(_ font: OpaquePointer?, _: Int32, _: Int32) -> OpaquePointer? {
  OpaquePointer(fluid_sfont_get_data(font))
}

private func startVoice(
  _ preset: OpaquePointer?, _ synth: OpaquePointer?, _: Int32, key: Int32, _: Int32
) -> Int32 {
  guard let synth, let sample = OpaquePointer(fluid_preset_get_data(preset)) else {
    return Int32(FLUID_FAILED)
  }
  ProbeSynth.start(sample, in: synth, key: key)
  return Int32(FLUID_OK)
}

private func removeFont(_ font: OpaquePointer?) -> Int32 { delete_fluid_sfont(font) }

private func removePreset(_: OpaquePointer?) {}
