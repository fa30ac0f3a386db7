import Glibc
import LiveAudio
import LocalSystem

/// Messages for users about capture devices.
extension SoundDeviceError {
  init(recordingFrom device: String, _ failure: PCMFailure, in environment: ProcessEnvironment) {
    let reason: String
    switch failure {
    case .failed(EBUSY), .failed(EAGAIN):
      reason = "another program records from it: close that program"
    case .failed(ENOENT), .failed(ENODEV), .failed(ENXIO):
      reason = "there is no such capture device; 'arecord -l' lists the available devices"
    case .failed(EPIPE):
      reason = "some of the recording was lost because the machine was too slow; try again"
    case .failed, .noRate, .noChannels, .noEncoding, .noAccess, .noBuffer:
      self.init(device: device, failure, in: environment)
      return
    }
    self.init(device: device, isTemporary: true, reason: reason)
  }
}
