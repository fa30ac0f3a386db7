import Glibc
import LiveAudio
import LocalSystem
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SoundDeviceErrorCaptureTests {
  @Test(arguments: [
    (EBUSY, true, "another program records from it: close that program"),
    (
      ENOENT, true,
      "there is no such capture device; 'arecord -l' lists the available devices"
    ),
    (EPIPE, true, "some of the recording was lost because the machine was too slow; try again"),
    (EACCES, false, "permission denied; join the group 'audio', and log in again"),
  ])
  func `a capture error states the cause and the remedy`(
    code: CInt, isTemporary: Bool, reason: String
  ) {
    let error = SoundDeviceError(
      recordingFrom: "hw:1", .failed(code: code),
      in: ProcessEnvironment(variables: [:], root: "/nowhere"))
    #expect(error == SoundDeviceError(device: "hw:1", isTemporary: isTemporary, reason: reason))
  }

  @Test func `a missing device cannot be recorded from`() {
    let error = #expect(throws: SoundDeviceError.self) {
      try ALSACapture(named: "hw:Nowhere", rate: 48_000, period: 1024)
    }
    #expect(error?.reason.hasPrefix("there is no such capture device") == true)
  }
}
