import SoundTestSupport
import TestSupport
import Testing

import LiveAudio

@Suite(.timeLimit(.minutes(5))) struct SoundTrialTests {
  private let device = ManualDevice()

  /// Calls `body` on another thread as soon as the device is running.
  private func meanwhile(_ body: @escaping @Sendable (ManualDevice) -> Void) -> TestThread {
    let device = device
    return TestThread {
      _ = eventually { device.isRunning }
      body(device)
    }
  }

  @Test func `a device that requests a cycle passes the trial`() throws {
    let thread = meanwhile { _ = $0.cycle(256, now: 0) }
    try SoundTrial.run(device, named: "default", within: 60)
    thread.join()
    #expect(device.hasStopped)
  }

  @Test func `a device that is lost before that fails with the reason`() {
    let thread = meanwhile { $0.report(.lost(reason: "it takes no sound")) }
    #expect(
      throws: SoundDeviceError(device: "default", isTemporary: true, reason: "it takes no sound")
    ) { try SoundTrial.run(device, named: "default", within: 60) }
    thread.join()
    #expect(device.hasStopped)
  }

  @Test func `a device that requests no cycle fails`() {
    #expect(throws: SoundDeviceError.self) {
      try SoundTrial.run(device, named: "default", within: 0.01)
    }
    #expect(device.hasStopped)
  }
}
