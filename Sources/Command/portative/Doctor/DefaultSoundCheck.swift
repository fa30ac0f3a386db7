import ALSA
import LiveAudio
import LocalSystem
import PortativeServer

/// Checks whether a server's default sound device can be played on. It plays silence for a moment.
enum DefaultSoundCheck {
  static func findings(
    in environment: ProcessEnvironment,
    _ play: () throws(SoundDeviceError) -> String = { () throws(SoundDeviceError) in
      let choice = SoundChoice()
      let device = try choice.open()
      try DeviceKeeper.trySilence(on: device)
      return device.summary
    }
  ) -> [Finding] {
    do throws(SoundDeviceError) {
      return [.good("sound", try play())]
    } catch {
      let holders = SoundCard.all(in: environment).flatMap(\.outputs).flatMap(\.holders)
      if error.isTemporary, holders.contains(where: \.isPortative) {
        return [.good("sound", "a Portative server is playing on '\(error.device)'")]
      }
      let device =
        SoundServerCheck.servers(in: environment).contains(SoundServerCheck.jack)
        ? "play through JACK with portative serve --audio jack"
        : "choose another device with portative serve --audio DEVICE"
      return [.bad("sound", error.description, remedy: "\(device); hosts need none")]
    }
  }
}

extension SoundCard.Holder {
  /// Whether the program is a Portative process.
  var isPortative: Bool { program == "portative" }
}
