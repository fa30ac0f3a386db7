import CFluidSynth
import CFluidSynthOverrides
import RenderCore
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct LibraryImportsTests {
  @Test func `a function that the library does not import is refused`() {
    let function = unsafeBitCast(
      (@convention(c) () -> Void)?.none, to: UnsafeMutableRawPointer?.self)
    #expect(!library_import_redirect("portative_no_such_function", function))
  }

  @Test func `voices are mixed without a look at the clock, and otherwise with one`() throws {
    let memory = RenderMemory()
    defer { memory.release() }
    let synth = try makeSynth(
      SynthSettings(rate: 48_000, polyphony: 1, gain: 1, effects: Effects()), in: memory)
    for _ in 0..<100 { mix_voices(UnsafeMutableRawPointer(synth), 64) }
    #expect(fluid_synth_get_cpu_load(synth) == 0)
    for _ in 0..<100 { fluid_synth_process(synth, 64, 0, nil, 0, nil) }
    #expect(fluid_synth_get_cpu_load(synth) > 0)
  }
}
