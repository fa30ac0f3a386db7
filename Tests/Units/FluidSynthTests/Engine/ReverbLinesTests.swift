import CFluidSynth
import CFluidSynthOverrides
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct ReverbLinesTests {
  /// Returns the memory that libfluidsynth allocates for a synth.
  private func memory(_ settings: OpaquePointer, isSpared: Bool) throws -> Int {
    #expect(library_allocations_watch())
    let blocks = UnsafeMutablePointer<library_allocation>.allocate(capacity: 4096)
    defer { blocks.deallocate() }
    library_allocations_begin(blocks, 4096)
    let synth = try newSynth(settings, mayRunReverb: !isSpared)
    let count = library_allocations_end()
    delete_fluid_synth(synth)
    return (0..<count).reduce(0) { $0 + blocks[$1].size }
  }

  /// FluidSynth 2.6 allocates the lines by `new` of C++, which is not noted.
  static var usesMalloc: Bool {
    var (major, minor, micro): (Int32, Int32, Int32) = (0, 0, 0)
    fluid_version(&major, &minor, &micro)
    return (major, minor) < (2, 5)
  }

  @Test(.enabled(if: usesMalloc))
  func `spared reverb lines are made for the synth's rate, and others are not`() throws {
    let settings = try makeLibrarySettings(
      SynthSettings(rate: 48_000, polyphony: 20, gain: 1, effects: .none))
    defer { delete_fluid_settings(settings) }
    let (whole, spared) = try (
      memory(settings, isSpared: false), memory(settings, isSpared: true)
    )
    #expect(spared < whole - 90_000, "\(spared) of \(whole) bytes")
    #expect(try memory(settings, isSpared: false) == whole)
  }
}
