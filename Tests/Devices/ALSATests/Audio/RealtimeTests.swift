import CRender
import Glibc
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import ALSA

/// Runs a device's thread under RealtimeSanitizer, which ends the process at the first call in the realtime
/// section that allocates, locks or blocks. Calls to alsa-lib are outside the realtime section.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test(arguments: SampleEncoding.allCases, PCMAccess.allCases)
  func `nothing that plays a mix to a device allocates, locks or blocks`(
    encoding: SampleEncoding, access: PCMAccess
  ) throws {
    let request = PCMRequest(encodings: [encoding], accesses: [access])
    let device = try ALSADevice(named: "null", request)
    let mix = PlayedMix(device.format)
    let events = SoundEvents()
    try device.start(mix.renderer, report: events.record)
    #expect(mix.play(cycles: 300))
    device.stop()
    #expect(events.loss == nil)
    withExtendedLifetime(mix) {}
  }

  @Test func `a device behind a plugin neither allocates, locks nor blocks`() throws {
    let device = try ALSADevice(named: "tee:null,'/dev/null',raw")
    let mix = PlayedMix(device.format)
    try device.start(mix.renderer, report: { _ in })
    #expect(mix.play(cycles: 300))
    device.stop()
    withExtendedLifetime(mix) {}
  }

  @Test func `a renderer that allocates on the device's thread ends the process`() async {
    await #expect(processExitsWith: .realtimeViolation) {
      let device = try ALSADevice(named: "null")
      try device.start(.allocating, report: { _ in })
      sleep(20)
    }
  }
}
