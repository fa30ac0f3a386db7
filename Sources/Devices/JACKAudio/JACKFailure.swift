import CJACK
import LiveAudio

/// The reason why a JACK client could not be created or started.
enum JACKFailure: Error, Equatable, Sendable {
  case noLibrary
  case noServer
  case otherVersion
  case noPorts
  /// The server refused the client; `status` holds the bits of `JackStatus`.
  case refused(status: UInt32)
  case notActive
  /// The server does not answer.
  case hangs
  /// The server's sample rate or cycle length is not supported.
  case format(String)

  init(_ status: jack_status_t) {
    func has(_ bit: jack_status_t) -> Bool { status.rawValue & bit.rawValue != 0 }
    self =
      if has(JackVersionError) {
        .otherVersion
      } else if has(JackServerFailed) {
        .noServer
      } else {
        .refused(status: status.rawValue)
      }
  }
}

/// Messages for users.
extension SoundDeviceError {
  init(jack failure: JACKFailure) {
    let (isTemporary, reason) =
      switch failure {
      case .noLibrary:
        (
          false,
          "JACK's library libjack.so.0 is not installed; install jackd2 or pipewire-jack, and start this program again"
        )
      case .noServer:
        (
          true,
          "no JACK server is running for this user; start one, with qjackctl or 'jackd -d alsa'"
        )
      case .otherVersion:
        (
          false,
          "the JACK server and JACK's library have different versions; install both "
            + "from one source, then restart the server and this program"
        )
      case .noPorts:
        (
          true, "the JACK server cannot allocate two more ports; start it with a greater --port-max"
        )
      case .refused(let status):
        (
          true,
          "the JACK server refused the connection (status \(status)); see its log, or restart it"
        )
      case .notActive:
        (true, "the JACK server does not activate the client; see its log, or restart it")
      case .hangs:
        (true, "the JACK server does not answer; restart it, or choose another --audio")
      case .format(let sentence):
        (
          true,
          "the JACK server has unsupported settings: \(sentence); start it with other settings"
        )
      }
    self.init(device: "jack", isTemporary: isTemporary, reason: reason)
  }
}

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
