import Glibc
import LiveAudio
import LocalSystem

/// Messages for users.
extension SoundDeviceError {
  init(device: String, _ failure: PCMFailure, in environment: ProcessEnvironment) {
    let cards = SoundCard.all(in: environment)
    let (isTemporary, reason) =
      switch failure {
      case .failed(EBUSY), .failed(EAGAIN): (true, Self.use(of: device, among: cards))
      case .failed(EACCES), .failed(EPERM):
        (false, "permission denied; join the group 'audio', and log in again")
      case .failed(ENOENT), .failed(ENODEV), .failed(ENXIO):
        (true, Self.absence(of: device, among: cards))
      case .failed(ECONNREFUSED), .failed(EHOSTDOWN):
        (
          true,
          "the sound server does not answer: log in to a desktop, or "
            + (cards.allSatisfy(\.outputs.isEmpty)
              ? "plug in a sound card" : "use one of these: \(Self.list(cards))")
        )
      case .failed(let code):
        (false, "it cannot be opened: \(errnoDescription(code)); use another device")
      case .noRate(let rates):
        (
          false,
          "it supports \(Self.text(rates)) Hz, but Portative \(Self.text(PCM.rates)) Hz; "
            + "try \(Self.converting(device))"
        )
      case .noEncoding, .noAccess, .noChannels:
        (false, "it supports none of Portative's sample formats; try \(Self.converting(device))")
      case .noBuffer(let frames, let period):
        (
          false,
          "its buffer of \(frames) frames is shorter than two periods of \(period); "
            + "choose a shorter period"
        )
      }
    self.init(device: device, isTemporary: isTemporary, reason: reason)
  }

  /// Returns the reason why a device was lost during playback.
  @Sendable static func loss(_ cause: Int32) -> String {
    switch cause {
    case ENODEV, EBADFD, EIO, ENXIO, ENOENT: "the device was unplugged, or its sound server ended"
    case ENODATA:
      "the device was opened but accepts no sound, as PipeWire without a session manager: start one "
        + "(systemctl --user start wireplumber), or use another device"
    case EPIPE:
      "the device's buffer always runs empty before it requests more: choose a longer period"
    case ETIME: "the device has not accepted any sound for five seconds"
    default: "the device has stopped playing: \(errnoDescription(cause))"
    }
  }

  private static func use(of device: String, among cards: [SoundCard]) -> String {
    let name = DeviceName(device)
    let outputs = cards.filter { name?.means($0) ?? true }.flatMap(\.outputs)
      .filter { name == nil || name?.device == $0.device }
    var holders: [SoundCard.Holder] = []
    for holder in outputs.flatMap(\.holders) where !holders.contains(holder) {
      holders.append(holder)
    }
    let text =
      holders.isEmpty ? "another program" : holders.map(\.description).joined(separator: ", ")
    return name == nil
      ? "the sound card is in use by \(text): close that program"
      : "it is in use by \(text): close that program, or use 'default', which shares the card where a sound "
        + "server runs"
  }

  private static func absence(of device: String, among cards: [SoundCard]) -> String {
    if cards.allSatisfy(\.outputs.isEmpty) {
      return device == "default"
        ? "there is no sound card, and no sound server behind 'default': plug in a card"
        : "there is no such device, and no sound card: plug it in"
    }
    return device == "default"
      ? "no default device is configured: use one of these: \(list(cards))"
      : "there is no such device: plug it in, or use 'default' or one of these: \(list(cards))"
  }

  /// Lists the names of all outputs, with their names for users.
  private static func list(_ cards: [SoundCard]) -> String {
    let names = cards.flatMap { card in
      card.outputs.map { "'\(card.deviceName(of: $0))' (\(card.name), \($0.name))" }
    }
    return names.joined(separator: ", ")
  }

  /// Returns the name of the same device with alsa-lib's format conversion.
  private static func converting(_ device: String) -> String {
    device.hasPrefix("hw:") ? "'plug\(device)', which converts" : "'default'"
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}

extension DeviceName {
  fileprivate func means(_ card: SoundCard) -> Bool {
    self.card == card.identifier || Int(self.card) == card.number
  }
}

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
