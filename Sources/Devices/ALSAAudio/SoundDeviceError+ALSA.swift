import Glibc
import LiveAudio
import LocalSystem

/// What is wrong with a device of alsa-lib's, for people.
extension SoundDeviceError {
  init(device: String, _ failure: PCMFailure, in environment: ProcessEnvironment) {
    let cards = SoundCard.all(in: environment)
    switch failure {
    case .failed(EBUSY), .failed(EAGAIN):
      self.init(device: device, mayPass: true, reason: Self.use(of: device, among: cards))
    case .failed(EACCES), .failed(EPERM):
      self.init(
        device: device, mayPass: false,
        reason: "it is closed to you; join the group 'audio', and log in again")
    case .failed(ENOENT), .failed(ENODEV), .failed(ENXIO):
      self.init(device: device, mayPass: true, reason: Self.absence(of: device, among: cards))
    case .failed(ECONNREFUSED), .failed(EHOSTDOWN):
      self.init(
        device: device, mayPass: true,
        reason: "the sound server does not answer: log in to a desktop, or "
          + (cards.allSatisfy(\.outputs.isEmpty)
            ? "plug in a sound card" : "use one of these: \(Self.list(cards))"))
    case .failed(let code):
      self.init(
        device: device, mayPass: false,
        reason: "it cannot be opened: \(errnoDescription(code)); use another device")
    case .noRate(let rates):
      self.init(
        device: device, mayPass: false,
        reason: "it plays at \(Self.text(rates)) Hz, and we at \(Self.text(PCM.rates)); "
          + "try \(Self.converting(device))")
    case .noEncoding, .noAccess, .noChannels:
      self.init(
        device: device, mayPass: false,
        reason: "it takes samples in none of the ways we know; try \(Self.converting(device))")
    case .noBuffer(let frames, let period):
      self.init(
        device: device, mayPass: false,
        reason: "its buffer of \(frames) frames has no room for two periods of \(period); "
          + "choose a shorter period")
    }
  }

  /// Why a device was lost while it played.
  @Sendable static func loss(_ cause: Int32) -> String {
    switch cause {
    case ENODEV, EBADFD, EIO, ENXIO, ENOENT: "the device was unplugged, or its sound server ended"
    case ENODATA:
      "the device was opened, but takes no sound, as PipeWire does without a session manager: start one "
        + "(systemctl --user start wireplumber), or use another device"
    case EPIPE:
      "the device has always run out of sound before it asked for more: choose a longer period"
    case ETIME: "the device has not taken any sound for five seconds"
    default: "the device does not play any more: \(errnoDescription(cause))"
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
      ? "the sound card is in use by \(text): end that program"
      : "it is in use by \(text): end that program, or use 'default', which shares the card where a sound "
        + "server runs"
  }

  private static func absence(of device: String, among cards: [SoundCard]) -> String {
    if cards.allSatisfy(\.outputs.isEmpty) {
      return device == "default"
        ? "there is no sound card, and no sound server runs: plug in a card"
        : "there is no such device, and no sound card: plug it in"
    }
    return device == "default"
      ? "no default device is configured: use one of these: \(list(cards))"
      : "there is no such device: plug it in, or use 'default' or one of these: \(list(cards))"
  }

  /// The names of all outputs, with what people call them.
  private static func list(_ cards: [SoundCard]) -> String {
    let names = cards.flatMap { card in
      card.outputs.map { "'\(card.deviceName(of: $0))' (\(card.name), \($0.name))" }
    }
    return names.joined(separator: ", ")
  }

  /// A name of the same device, with conversion by alsa-lib.
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
