import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct LibraryProbeTests {
  @Test func `the library is probed once, and the result is always the same`() throws {
    let probe = try LibraryProbe.found()
    #expect(try LibraryProbe.found() == probe)
    // Every version of FluidSynth shortens the release of choked notes.
    #expect(try #require(probe.choke.volumeRelease) < 0)
    #expect(probe.hasBendRangeCents == probe.acceptsDataEntryLSB)
  }

  @Test func `the result of the probe is described`() throws {
    var probe = LibraryProbe()
    probe.choke.volumeRelease = -2000
    #expect(probe.traits[0] == "choke volume -2000 timecents, modulation unchanged")
    let plain = probe.traits.count
    probe.acceptsDataEntryLSB = true
    probe.hasDefaultTuning = true
    #expect(probe.traits.count == plain + 2)
    #expect(FluidSynthLibrary.traits == (try LibraryProbe.found()).traits)
  }
}
