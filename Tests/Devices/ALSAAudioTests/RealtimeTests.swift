import CRender
import Glibc
import RenderCore
import SoundTestSupport
import Testing

@testable import ALSAAudio

/// A device's own thread under RealtimeSanitizer, which ends the process at the first call in the realtime
/// section that allocates, locks or blocks. alsa-lib's calls are no part of it.
@Suite(
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test(arguments: SampleEncoding.allCases, PCMAccess.allCases)
  func `nothing that plays a mix to a device allocates, locks or blocks`(
    encoding: SampleEncoding, access: PCMAccess
  ) throws {
    let wish = PCMWish(encodings: [encoding], accesses: [access])
    let device = try ALSADevice(named: "null", wish)
    let mix = PlayedMix(device.format)
    let events = SoundEvents()
    try device.start(mix.renderer, tell: events.tell)
    #expect(mix.play(cycles: 300))
    device.stop()
    #expect(events.loss == nil)
    withExtendedLifetime(mix) {}
  }

  @Test func `neither does a device that is written through a plugin`() throws {
    let device = try ALSADevice(named: "tee:null,'/dev/null',raw")
    let mix = PlayedMix(device.format)
    try device.start(mix.renderer, tell: { _ in })
    #expect(mix.play(cycles: 300))
    device.stop()
    withExtendedLifetime(mix) {}
  }

  @Test func `a renderer that allocates on the device's thread ends the process`() async {
    await #expect(processExitsWith: .exitCode(43)) {
      let device = try ALSADevice(named: "null")
      try device.start(.allocating, tell: { _ in })
      sleep(20)
    }
  }
}
