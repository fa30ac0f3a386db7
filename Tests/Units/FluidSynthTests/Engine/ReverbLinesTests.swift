import CFluidSynth
import CFluidSynthOverrides
import Glibc
import Testing

/// Returns the range of the sample rate that libfluidsynth uses when it creates a synth.
private func rates(_ settings: OpaquePointer) -> ClosedRange<Double> {
  var (least, most) = (0.0, 0.0)
  fluid_settings_getnum_range(UnsafeMutableRawPointer(settings), "synth.sample-rate", &least, &most)
  return least...most
}

@Suite(.timeLimit(.minutes(5))) struct ReverbLinesTests {
  @Test func `spared reverb lines are made for the synth's rate, and others are not`() throws {
    let settings = try #require(new_fluid_settings())
    defer { delete_fluid_settings(settings) }
    fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
    #expect(rates(settings) == 8000...96_000)
    spare_reverb_lines(true)
    defer { spare_reverb_lines(false) }
    #expect(rates(settings) == 8000...48_000)
    var (least, most) = (0.0, 0.0)
    fluid_settings_getnum_range(
      UnsafeMutableRawPointer(settings), "synth.gain", &least, &most)
    #expect(least == 0 && most == 10)
  }

  @Test func `libfluidsynth calls the replaced function`() throws {
    let name = "fluid_settings_getnum_range"
    let library = try #require(dlopen("libfluidsynth.so.3", RTLD_NOW | RTLD_NOLOAD))
    defer { dlclose(library) }
    let (found, own) = try (#require(dlsym(nil, name)), #require(dlsym(library, name)))
    #expect(found != own)
  }
}
