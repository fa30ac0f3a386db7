import ALSA
import Glibc
import RenderCore
import SoundTestSupport
import Testing

/// Tests with snd-dummy, whose clock is exact.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.current != nil && access("/proc/asound/Dummy", F_OK) == 0, "needs snd-dummy"),
  .serialized)
struct ShortPeriodTests {
  @Test(arguments: [16, 64, 256, 8192])
  func `cycles have the requested length, and none is missed`(period: Int) throws {
    let device = try ALSADevice(named: "hw:Dummy", period: period)
    defer { device.stop() }
    #expect(device.format.maximumFrames == period)
    #expect(device.format.sampleRate == 48_000)
    let (ramp, events) = (RampRenderer(), SoundEvents())
    try device.start(ramp.renderer, report: events.record)
    // In real time, an emulated machine may be late for a while and then recover.
    let count = period < 8192 ? 100 : 10
    try wait { hasRun(ramp, count: count, period) || events.loss != nil ? () : nil }
    #expect(events.loss == nil)
  }

  /// Returns whether the last `count` cycles were consecutive.
  private func hasRun(_ ramp: RampRenderer, count: Int, _ period: Int) -> Bool {
    let requests = ramp.requests.suffix(count)
    return requests.count == count
      && zip(requests, requests.dropFirst())
        .allSatisfy { $1.position == $0.position + Int64(period) }
  }
}
