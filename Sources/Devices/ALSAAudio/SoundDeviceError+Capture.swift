import Glibc
import LiveAudio
import LocalSystem

/// Messages for users about capture devices.
extension SoundDeviceError {
  init(recordingFrom device: String, _ failure: PCMFailure, in environment: ProcessEnvironment) {
    switch failure {
    case .failed(EBUSY), .failed(EAGAIN):
      self.init(
        device: device, isTemporary: true,
        reason: "another program records from it: close that program")
    case .failed(ENOENT), .failed(ENODEV), .failed(ENXIO):
      self.init(
        device: device, isTemporary: true,
        reason: "there is no such capture device; 'arecord -l' lists the available devices")
    case .failed(EPIPE):
      self.init(
        device: device, isTemporary: true,
        reason: "some of the recording was lost because the machine was too slow; try again")
    case .failed, .noRate, .noChannels, .noEncoding, .noAccess, .noBuffer:
      self.init(device: device, failure, in: environment)
    }
  }
}
