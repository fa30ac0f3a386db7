import Glibc
import LiveAudio
import LocalSystem
import TestSupport
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SoundDeviceErrorTests {
  let machine: MadeUpCards
  init() throws { machine = try MadeUpCards() }

  @Test func `the error for a device in use names its user, and the device that can be shared`() {
    let error = error("hw:0,3", .failed(code: EBUSY))
    #expect(
      "\(error)"
        == "no sound from 'hw:0,3': it is in use by pipewire (process 4711): close that program, or "
        + "use 'default', which shares the card where a sound server runs")
    #expect(error.isTemporary)
    #expect("\(self.error("hw:USB", .failed(code: EBUSY)))".contains("in use by process 99:"))
    #expect("\(self.error("hw:PCH", .failed(code: EBUSY)))".contains("in use by another program:"))
    #expect(
      "\(self.error("default", .failed(code: EBUSY)))"
        == "no sound from 'default': the sound card is in use by pipewire (process 4711), process 99: close "
        + "that program")
  }

  @Test func `the error for a missing device names the existing ones`() {
    let error = error("hw:7", .failed(code: ENODEV))
    #expect(
      "\(error)"
        == "no sound from 'hw:7': there is no such device: plug it in, or use 'default' or one of "
        + "these: 'hw:PCH,0' (HDA Intel PCH, ALC892 Analog), 'hw:PCH,3' (HDA Intel PCH, HDMI 0), "
        + "'hw:USB,0' (Scarlett 2i2 USB, USB Audio)")
    #expect(error.isTemporary)
  }

  @Test func `the error states that there is no card`() {
    let none = ProcessEnvironment(variables: [:], root: "/nowhere")
    for (device, sentence) in [
      ("default", "there is no sound card, and no sound server behind 'default': plug in a card"),
      ("hw:0", "there is no such device, and no sound card: plug it in"),
    ] {
      let error = SoundDeviceError(device: device, .failed(code: ENOENT), in: none)
      #expect(error == SoundDeviceError(device: device, isTemporary: true, reason: sentence))
    }
    #expect(
      SoundDeviceError(device: "default", .failed(code: ECONNREFUSED), in: none).reason
        == "the sound server does not answer: log in to a desktop, or plug in a sound card")
  }

  @Test func `the error for a missing default device, or its server, names the others`() {
    let others =
      "use one of these: 'hw:PCH,0' (HDA Intel PCH, ALC892 Analog), 'hw:PCH,3' (HDA Intel PCH, "
      + "HDMI 0), 'hw:USB,0' (Scarlett 2i2 USB, USB Audio)"
    #expect(
      error("default", .failed(code: ENOENT)).reason
        == "no default device is configured: \(others)")
    #expect(
      error("default", .failed(code: ECONNREFUSED)).reason
        == "the sound server does not answer: log in to a desktop, or \(others)")
  }

  @Test func `an error that only a setting can remedy is not temporary`() {
    let closed = error("hw:0", .failed(code: EACCES))
    #expect(!closed.isTemporary)
    #expect(closed.reason == "permission denied; join the group 'audio', and log in again")
    let fast = error("hw:0", .noRate(176_400...192_000))
    #expect(!fast.isTemporary)
    #expect(
      fast.reason
        == "it supports 176400 to 192000 Hz, but Portative 8000 to 96000 Hz; try 'plughw:0', which "
        + "converts")
    #expect(
      error("hw:0", .noBuffer(frames: 512, period: 512)).reason
        == "its buffer of 512 frames is shorter than two periods of 512; choose a shorter period")
    #expect(
      error("odd", .noEncoding).reason
        == "it supports none of Portative's sample formats; try 'default'")
    #expect(
      error("odd", .failed(code: ENOMEM)).reason.hasSuffix(
        ": Cannot allocate memory; use another device"))
  }

  @Test func `a loss has a reason`() {
    #expect(SoundDeviceError.loss(ENODEV) == "the device was unplugged, or its sound server ended")
    #expect(
      SoundDeviceError.loss(ETIME) == "the device has not accepted any sound for five seconds")
    #expect(
      SoundDeviceError.loss(ENODATA).hasPrefix(
        "the device was opened but accepts no sound, as PipeWire"))
    #expect(SoundDeviceError.loss(EPIPE).hasSuffix("choose a longer period"))
    #expect(SoundDeviceError.loss(ENOMEM).hasSuffix(": Cannot allocate memory"))
  }

  private func error(_ device: String, _ failure: PCMFailure) -> SoundDeviceError {
    SoundDeviceError(device: device, failure, in: machine.system.environment)
  }
}
