import Glibc
import LiveAudio
import LocalSystem

/// What is wrong with a device of alsa-lib's that is to be recorded from.
extension SoundDeviceError {
  init(recordingFrom device: String, _ failure: PCMFailure, in environment: ProcessEnvironment) {
    switch failure {
    case .failed(EBUSY), .failed(EAGAIN):
      self.init(
        device: device, mayPass: true, reason: "another program records from it: end that program")
    case .failed(ENOENT), .failed(ENODEV), .failed(ENXIO):
      self.init(
        device: device, mayPass: true,
        reason: "there is no such device to record from; 'arecord -l' lists those that there are")
    case .failed(EPIPE):
      self.init(
        device: device, mayPass: true,
        reason: "some of it was lost, for the machine was too slow; try again")
    case .failed, .noRate, .noChannels, .noEncoding, .noAccess, .noBuffer:
      self.init(device: device, failure, in: environment)
    }
  }
}
