/// The reason why JACK dropped the client.
enum JACKLoss: Int32 {
  case server = 1
  case tooSlow
  case otherRate

  /// Whether the server has ended, as far as is known, so that no client of this process can go on.
  var concernsAllClients: Bool { self != .otherRate }

  var sentence: String {
    switch self {
    case .server: "the JACK server has ended or disconnected this client"
    case .tooSlow:
      "JACK disconnected this client because it was too slow: choose a longer period in JACK"
    case .otherRate: "JACK's sample rate has changed"
    }
  }
}
