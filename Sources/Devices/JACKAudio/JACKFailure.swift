import CJACK
import LiveAudio

/// Why there is no client of a JACK server.
enum JACKFailure: Error, Equatable, Sendable {
  case noLibrary
  case noServer
  case otherVersion
  case noPorts
  /// Bits of `JackStatus`.
  case refused(status: UInt32)
  case notActive
  /// A rate or a cycle beyond what we can follow.
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

/// What is wrong with JACK, for people.
extension SoundDeviceError {
  init(jack failure: JACKFailure) {
    let (mayPass, reason) =
      switch failure {
      case .noLibrary:
        (
          false,
          "JACK's library libjack.so.0 is not there; install jackd2 or pipewire-jack, and start this again"
        )
      case .noServer:
        (true, "no JACK server runs for you; start one, with qjackctl or 'jackd -d alsa'")
      case .otherVersion:
        (
          false,
          "the JACK server is of another version than JACK's library; install the server and the library "
            + "from one source, and start both and this again"
        )
      case .noPorts:
        (
          true, "the JACK server has no room for two more ports; start it with a greater --port-max"
        )
      case .refused(let status):
        (
          true,
          "the JACK server refuses us (status \(status)); look at what it says itself, or start it again"
        )
      case .notActive:
        (true, "the JACK server does not begin to call us; look at what it says, or start it again")
      case .format(let sentence):
        (
          true,
          "the JACK server is set to what we cannot follow: \(sentence); start it with other settings"
        )
      }
    self.init(device: "jack", mayPass: mayPass, reason: reason)
  }
}
