import ALSA
import LiveAudio
import SoundTestSupport
import Testing

@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasLoopback, "needs the card of snd-aloop, in real time: make test-alsa"),
  .serialized)
struct ALSACaptureTests {
  @Test func `played audio is recorded with correct timestamps`() throws {
    let device = try ALSADevice(named: "hw:Loopback,0,5", period: 4096)
    defer { device.stop() }
    let ramp = RampRenderer()
    try device.start(ramp.renderer, report: { _ in })
    let capture = try ALSACapture(named: "hw:Loopback,1,5", rate: 48_000, period: 1024)
    #expect(capture.rate == 48_000)
    try capture.start()
    var levels: [Float] = []
    var stamps: [FrameStamp] = []
    while levels.count < 48_000 {
      let sound = try capture.read()
      levels += sound.levels
      stamps.append(sound.stamp)
      // All captured frames up to the timestamp were read.
      #expect(sound.stamp.frame == levels.count)
    }
    #expect(levels.contains { $0 > 0 })
    let (first, last) = (try #require(stamps.first), try #require(stamps.last))
    let seconds = Double(last.time - first.time) / 1e9
    // Within one or two jiffies and the inaccuracy of an emulated machine.
    #expect(abs(seconds - Double(last.frame - first.frame) / 48_000) < 0.1)
  }

  @Test func `a device that another program records from is an error`() throws {
    let capture = try ALSACapture(named: "hw:Loopback,1,5", rate: 48_000, period: 1024)
    let error = #expect(throws: SoundDeviceError.self) {
      try ALSACapture(named: "hw:Loopback,1,5", rate: 48_000, period: 1024)
    }
    #expect(error?.reason == "another program records from it: close that program")
    withExtendedLifetime(capture) {}
  }
}
