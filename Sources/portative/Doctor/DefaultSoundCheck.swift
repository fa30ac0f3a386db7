import ALSASound
import LiveCore
import LocalSystem

/// Whether what a server plays on, unless told otherwise, can be played on. It is opened for an instant.
enum DefaultSoundCheck {
  static func findings(
    in surroundings: Surroundings,
    _ open: () throws(SoundDeviceError) -> String = { () throws(SoundDeviceError) in
      try SoundChoice().open().summary
    }
  ) -> [Finding] {
    do throws(SoundDeviceError) {
      return [.good("sound", try open())]
    } catch {
      let holders = SoundCard.all(in: surroundings).flatMap(\.outputs).flatMap(\.holders)
      if error.mayPass, holders.contains(where: \.isPortative) {
        return [.good("sound", "a Portative server plays on '\(error.device)' now")]
      }
      return [
        .bad(
          "sound", error.description,
          remedy: "portative serve --audio DEVICE takes another; hosts are served without any")
      ]
    }
  }
}

extension SoundCard.Holder {
  /// Whether it is a server of ours.
  var isPortative: Bool { program == "portative" }
}
