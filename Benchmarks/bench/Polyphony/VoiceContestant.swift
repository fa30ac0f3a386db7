import CFluidSynth
import FluidSynthEngine
import RenderCore

/// A synthesizer that plays more and more notes, in cycles of 64 frames at 48 kHz.
protocol VoiceContestant: AnyObject {
  var name: String { get }
  /// The number of voices that sound.
  var voices: Int { get }
  /// Begins a note that sounds until the end.
  func begin(_ note: HeldNote)
  /// Renders a cycle.
  func render()
}

/// One of the notes that are held: a part of the keyboard on one MIDI channel after the other, and then the rest of it.
struct HeldNote {
  let channel: UInt8
  let key: UInt8

  /// The preset of all notes, which sounds as long as its keys are down: string ensemble.
  static let program = 48
  static let cycleFrames = 64
  private static let channels = 16
  private static let middle = 30..<100
  private static let outer = Array(0..<30) + Array(100..<128)
  static let count = channels * (middle.count + outer.count)

  init(_ index: Int) {
    let rest = index - Self.middle.count * Self.channels
    if rest < 0 {
      channel = UInt8(index / Self.middle.count)
      key = UInt8(Self.middle.lowerBound + index % Self.middle.count)
    } else {
      channel = UInt8(rest / Self.outer.count)
      key = UInt8(Self.outer[rest % Self.outer.count])
    }
  }
}

/// A unit of Portative.
final class UnitVoices: VoiceContestant {
  let name: String
  private let unit: any RenderUnit
  private let output = StereoMemory(frames: HeldNote.cycleFrames)
  private var events: [MIDIEvent] = []

  init(
    _ timing: Timing, threads: Int, _ font: Bench.SoundFont, sharesMixBuffers: Bool = true
  ) throws {
    name = timing == .stock ? "`stock`" : "`exact`, \(threads) thread\(threads == 1 ? "" : "s")"
    var settings = InstrumentSettings(timing: timing, polyphony: 4096, threads: threads)
    settings.sharesMixBuffers = sharesMixBuffers
    settings.preset = PresetSelection(bank: 0, program: HeldNote.program)
    unit = try InstrumentSource(soundFont: .open(font.path), settings: settings).makeUnit(
      Format(sampleRate: 48_000, maximumFrames: HeldNote.cycleFrames))
  }

  var voices: Int { unit.status.first { $0.name == "most voices" }?.value ?? 0 }

  func begin(_ note: HeldNote) { begin(note, at: 0) }

  /// Begins a note at an offset in a cycle.
  func begin(_ note: HeldNote, at offset: Int) {
    let message = ChannelMessage(.noteOn, channel: note.channel, note.key, 90)
    events = [MIDIEvent(offset: UInt32(offset), content: .channel(message))]
    render()
    events = []
  }

  func render() {
    events.withUnsafeBufferPointer { events in
      let cycle = MIDICycle(
        frames: HeldNote.cycleFrames, events: events,
        sysEx: UnsafeBufferPointer(start: nil, count: 0))
      if !events.isEmpty { unit.prepare(for: cycle) }
      var all = RenderCycle(midi: cycle, position: 0, hostTime: 0, output: output.channels)
      if unit.renderer.procedure(unit.renderer.state, &all) { unit.performDeferredWork() }
    }
  }
}

/// FluidSynth itself, with its own threads.
final class LibraryVoices: VoiceContestant {
  let name: String
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let output = StereoMemory(frames: HeldNote.cycleFrames)

  /// - Parameter cores: The setting `synth.cpu-cores`.
  init(cores: Int, _ font: Bench.SoundFont) throws {
    name = "libfluidsynth, `cpu-cores` \(cores)"
    settings = new_fluid_settings()
    fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
    fluid_settings_setint(settings, "synth.polyphony", 4096)
    fluid_settings_setint(settings, "synth.cpu-cores", Int32(cores))
    synth = new_fluid_synth(settings)
    guard fluid_synth_sfload(synth, font.path, 1) >= 0 else {
      throw BenchError("FluidSynth cannot load \(font.path)")
    }
    for channel in 0..<Int32(16) {
      fluid_synth_bank_select(synth, channel, 0)
      fluid_synth_program_change(synth, channel, Int32(HeldNote.program))
    }
  }

  deinit {
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
  }

  var voices: Int { Int(fluid_synth_get_active_voice_count(synth)) }

  func begin(_ note: HeldNote) {
    fluid_synth_noteon(synth, Int32(note.channel), Int32(note.key), 90)
    render()
  }

  func render() {
    fluid_synth_write_float(
      synth, Int32(HeldNote.cycleFrames), output.channels[0], 0, 1, output.channels[1], 0, 1)
  }
}
