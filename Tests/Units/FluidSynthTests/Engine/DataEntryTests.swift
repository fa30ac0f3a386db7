import CFluidSynth
import RenderCore
import Testing

@testable import FluidSynthEngine

/// A channel of a plain synth that receives controllers as the engines send them.
private final class EnteredChannel {
  private let memory = RenderMemory()
  private let synth: OpaquePointer
  private var entry = DataEntry()
  private let library: LibraryProbe

  init() throws {
    library = try .found()
    synth = try makeSynth(
      SynthSettings(rate: 48_000, polyphony: 2, gain: 1, effects: .none), in: memory)
  }

  func send(_ controllers: (UInt8, UInt8)...) {
    for (number, value) in controllers {
      let isAccepted = entry.send(number, value, to: synth, channel: 0, library)
      #expect(isAccepted)
      _ = entry.follow(number, synth, channel: 0, library)
    }
  }

  func generator(_ generator: fluid_gen_type) -> Float {
    fluid_synth_get_gen(synth, 0, Int32(generator.rawValue))
  }

  var bendRange: Int32 {
    var semitones: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth, 0, &semitones)
    return semitones
  }
}

/// FluidSynth 2.4.0 to 2.4.4 enters the value of controller 38 alone.
@Suite(.timeLimit(.minutes(5))) struct SoundFontParameterTests {
  @Test func `a parameter of a SoundFont has the value of controllers 38 and 6`() throws {
    let channel = try EnteredChannel()
    channel.send((99, 120), (98, 17), (38, 20))
    #expect(channel.generator(GEN_PAN) == 0)
    channel.send((6, 64))
    #expect(channel.generator(GEN_PAN) == 20)
    #expect(channel.generator(GEN_STARTADDROFS) == 0)
    // 17 = 8_209 - 8_192.
    channel.send((99, 120), (98, 17), (38, 17), (6, 64))
    #expect(channel.generator(GEN_PAN) == 17)
  }

  @Test func `a value after controller 6 needs a new selection`() throws {
    let channel = try EnteredChannel()
    channel.send((99, 120), (98, 17), (6, 64), (38, 20), (6, 64))
    #expect(channel.generator(GEN_PAN) == 0)
  }

  @Test func `a registered parameter is entered after one of a SoundFont`() throws {
    let channel = try EnteredChannel()
    channel.send((99, 120), (98, 17), (101, 0), (100, 0), (38, 0), (6, 5))
    #expect(channel.generator(GEN_PAN) == 0)
    #expect(channel.bendRange == 5)
    channel.send((99, 120), (98, 17), (38, 20), (101, 0), (100, 0), (6, 7))
    #expect(channel.generator(GEN_PAN) == 0)
    #expect(channel.bendRange == 7)
  }
}
