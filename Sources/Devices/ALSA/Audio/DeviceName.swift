/// The card and device in an alsa-lib device name, such as `hw:1,3` or `plughw:CARD=PCH,DEV=3`.
struct DeviceName: Equatable, Sendable {
  /// The number or identifier of the card.
  let card: String
  let device: Int

  /// Parses a name.
  ///
  /// - Returns: `nil` for a configured name without a card, such as `default`.
  init?(_ name: String) {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    var named: [Substring: Substring] = [:]
    var unnamed: [Substring] = []
    for argument in name[name.index(after: colon)...].split(separator: ",") {
      let parts = argument.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { named[parts[0]] = parts[1] } else { unnamed.append(argument) }
    }
    guard let card = named["CARD"] ?? unnamed.first else { return nil }
    self.card = String(card)
    let device = named["DEV"] ?? unnamed.dropFirst().first
    self.device = device.flatMap { Int($0) } ?? 0
  }
}
