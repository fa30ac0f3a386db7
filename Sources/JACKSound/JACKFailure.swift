import CJACK
import LiveCore

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
        (false, "JACK's library libjack.so.0 is not there; install jackd2, or pipewire-jack")
      case .noServer:
        (true, "no JACK server runs for you; start one, with qjackctl or 'jackd -d alsa'")
      case .otherVersion:
        (false, "the JACK server is of another version than JACK's library; install one of both")
      case .noPorts:
        (
          false,
          "the JACK server has no room for two more ports; start it with a greater --port-max"
        )
      case .refused(let status):
        (true, "the JACK server refuses us (status \(status)); its own messages may say why")
      case .notActive:
        (true, "the JACK server does not begin to call us; its own messages may say why")
      case .format(let sentence):
        (false, "the JACK server is not one that we can follow: \(sentence)")
      }
    self.init(device: "jack", mayPass: mayPass, reason: reason)
  }
}
