import CRender
import Glibc
import JACKAudio
import JACKTestSupport
import LiveAudio
import LocalSystem
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

/// Runs JACK's thread, during our callbacks, under RealtimeSanitizer, which ends the process at the first
/// call that allocates, locks or blocks. Of JACK's own functions, those that query the time are checked as
/// well.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"),
  .enabled(if: TestJACKServer.isRequired, "needs jackd: apt-get install jackd2"), .serialized)
struct RealtimeTests {
  @Test func `nothing that plays a mix to JACK allocates, locks or blocks`() throws {
    let server = try TestJACKServer(frames: 256)
    let device = try join(
      server.name, GraphSignals(takesMIDI: true, sendsMIDI: true, takesAudio: true))
    let mix = PlayedMix(device.format)
    let events = SoundEvents()
    try device.start(mix.renderer, report: events.record)
    #expect(mix.play(cycles: 400))
    device.stop()
    #expect(events.loss == nil)
    withExtendedLifetime(mix) {}
  }

  @Test func `a renderer that allocates on JACK's thread ends the process`() async throws {
    let server = try TestJACKServer()
    // The process inherits it; Swift 6.2 has no captures.
    setenv("PORTATIVE_JACK_SERVER", server.name, 1)
    await #expect(processExitsWith: .realtimeViolation) {
      let device = try join(String(cString: try #require(getenv("PORTATIVE_JACK_SERVER"))))
      try device.start(.allocating, report: { _ in })
      sleep(20)
    }
    withExtendedLifetime(server) {}
  }
}
