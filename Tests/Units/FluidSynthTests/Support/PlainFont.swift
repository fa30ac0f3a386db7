import CFluidSynth
import FluidSynthEngine
import RenderCore

/// A SoundFont that FluidSynth alone has loaded, and the synths that play from it.
///
/// `@unchecked Sendable`: one test uses it at a time.
final class PlainFont: @unchecked Sendable {
  private let settings: OpaquePointer
  private let silence: OpaquePointer
  private let owner: OpaquePointer
  private let font: OpaquePointer

  /// - Returns: `nil` without memory, or if the SoundFont cannot be loaded.
  init?(_ path: String) {
    guard let settings = new_fluid_settings() else { return nil }
    fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    // No note is stolen.
    fluid_settings_setint(settings, "synth.polyphony", 1024)
    var owner: OpaquePointer?
    SoundFont.withoutLoading {
      owner = createSynth(settings)
      if let created = owner, fluid_synth_sfload(created, path, 1) == FLUID_FAILED {
        delete_fluid_synth(created)
        owner = nil
      }
    }
    guard let owner, let font = fluid_synth_get_sfont(owner, 0) else {
      delete_fluid_settings(settings)
      return nil
    }
    (self.settings, self.owner, self.font) = (settings, owner, font)
    silence = new_fluid_sample()
    var frames = [Int16](repeating: 0, count: 128)
    fluid_sample_set_sound_data(silence, &frames, nil, UInt32(frames.count), 48_000, 1)
    fluid_sample_set_loop(silence, 32, 96)
    fluid_sample_set_pitch(silence, 60, 0)
  }

  deinit {
    SoundFont.withoutLoading { delete_fluid_synth(owner) }
    delete_fluid_sample(silence)
    delete_fluid_settings(settings)
  }

  /// Plays a performance on a new synth in calls of 64 frames: each message before the block that begins at its frame.
  func play(_ performance: Performance, frames: Int) -> RenderedSound {
    var player = PlainPlayer(
      createSynth(settings)!, createSynth(settings)!, font, silence)
    defer { player.end() }
    var sound = RenderedSound()
    Portions(performance.sorted, frames: frames, cycles: { 64 }).forEach { cycle in
      for event in cycle.events {
        if case .channel(let message) = event.content { player.send(message) }
      }
      var left = [Float](repeating: 0, count: cycle.frames)
      var right = left
      fluid_synth_write_float(player.synth, Int32(cycle.frames), &left, 0, 1, &right, 0, 1)
      sound.left += left
      sound.right += right
    }
    return sound
  }
}

/// Sends messages to a synth as `fluidsynth` does, except where FluidSynth departs from the MIDI specification or where
/// one of its defects would show; the documentation of the engine lists these cases.
private struct PlainPlayer {
  let synth: OpaquePointer
  /// Plays notes that nobody hears.
  private let silent: OpaquePointer
  private let font: OpaquePointer
  private let silence: OpaquePointer
  /// The number of voice slots that have been used.
  private var usedSlots: Int32 = 0
  /// Per channel, the notes whose keys are down, in the order of their strokes.
  private var down = [[ChannelMessage]](repeating: [], count: 16)
  /// Per channel, the programs since no key was down.
  private var programs = [[Int32]](repeating: [0], count: 16)

  init(
    _ synth: OpaquePointer, _ silent: OpaquePointer, _ font: OpaquePointer, _ silence: OpaquePointer
  ) {
    (self.synth, self.silent, self.font, self.silence) = (synth, silent, font, silence)
    for synth in [synth, silent] { fluid_synth_add_sfont(synth, font) }
  }

  func end() {
    for synth in [synth, silent] {
      fluid_synth_remove_sfont(synth, font)
      delete_fluid_synth(synth)
    }
  }

  /// Occupies the voice slots of ended notes with endless silent voices. FluidSynth gives a slot to a new note with the gains
  /// and the filter of the note before, which lanes do not.
  private mutating func fillSlots() {
    while fluid_synth_get_active_voice_count(synth) < usedSlots {
      guard let voice = fluid_synth_alloc_voice(synth, silence, 15, 60, 127) else { return }
      fluid_voice_gen_set(voice, Int32(GEN_SAMPLEMODE.rawValue), 1)
      fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), -4000)
      fluid_voice_gen_set(voice, Int32(GEN_CUSTOM_BALANCE.rawValue), 4000)
      fluid_synth_start_voice(synth, voice)
    }
  }

  mutating func send(_ message: ChannelMessage) {
    fillSlots()
    defer { usedSlots = max(usedSlots, fluid_synth_get_active_voice_count(synth)) }
    let (channel, a, b) = (Int32(message.channel), Int32(message.data1), Int32(message.data2))
    switch message.kind {
    case .noteOn where message.data2 > 0:
      down[Int(channel)].append(message)
      fluid_synth_noteon(synth, channel, a, b)
      clearZones(channel)
    case .noteOn, .noteOff:
      let isDown = { (note: ChannelMessage) in note.data1 == message.data1 }
      guard let index = down[Int(channel)].firstIndex(where: isDown) else { return }
      down[Int(channel)].remove(at: index)
      fluid_synth_noteoff(synth, channel, a)
      clearZones(channel)
    case .controlChange:
      if a == 120 { liftKeys(channel) }
      fluid_synth_cc(synth, channel, a, b)
      if a >= 123 { liftKeys(channel) }
    case .programChange:
      fluid_synth_program_change(synth, channel, a)
      if down[Int(channel)].isEmpty { programs[Int(channel)] = [] }
      programs[Int(channel)].append(a)
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, a | b << 7)
    case .channelPressure: fluid_synth_channel_pressure(synth, channel, a)
    case .keyPressure: fluid_synth_key_pressure(synth, channel, a, b)
    }
  }

  /// When all notes end: the keys are up as well. FluidSynth keeps them in its list of legato notes. After all sound off, a
  /// note-off would start the release of a voice that has just been ended, as FluidSynth does with such a song.
  private mutating func liftKeys(_ channel: Int32) {
    for note in down[Int(channel)] {
      fluid_synth_noteoff(synth, channel, Int32(note.data1))
    }
    down[Int(channel)] = []
  }

  /// After a legato note whose program differs from that of the note before: FluidSynth has marked the zones of the
  /// former program, and would skip them in a later note. A note of that program clears the marks.
  private func clearZones(_ channel: Int32) {
    guard programs[Int(channel)].count > 1 else { return }
    for program in programs[Int(channel)] {
      fluid_synth_program_change(silent, channel, program)
      for note in down[Int(channel)] {
        fluid_synth_noteon(silent, channel, Int32(note.data1), Int32(note.data2))
      }
    }
    fluid_synth_all_sounds_off(silent, channel)
    fluid_synth_process(silent, 64, 0, nil, 0, nil)
  }
}
