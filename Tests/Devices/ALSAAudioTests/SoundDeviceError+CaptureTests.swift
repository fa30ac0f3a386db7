import Glibc
import LiveAudio
import LocalSystem
import Testing

@testable import ALSAAudio

@Suite struct SoundDeviceErrorCaptureTests {
  @Test(arguments: [
    (EBUSY, true, "another program records from it: end that program"),
    (
      ENOENT, true,
      "there is no such device to record from; 'arecord -l' lists those that there are"
    ),
    (EPIPE, true, "some of it was lost, for the machine was too slow; try again"),
    (EACCES, false, "it is closed to you; join the group 'audio', and log in again"),
  ])
  func `what cannot be recorded from says why, and what to do`(
    code: CInt, mayPass: Bool, reason: String
  ) {
    let error = SoundDeviceError(
      recordingFrom: "hw:1", .failed(code: code),
      in: ProcessEnvironment(variables: [:], root: "/nowhere"))
    #expect(error == SoundDeviceError(device: "hw:1", mayPass: mayPass, reason: reason))
  }

  @Test func `a device that is not there cannot be recorded from`() {
    let error = #expect(throws: SoundDeviceError.self) {
      try ALSACapture(named: "hw:Nowhere", rate: 48_000, period: 1024)
    }
    #expect(error?.reason.hasPrefix("there is no such device to record from") == true)
  }
}
