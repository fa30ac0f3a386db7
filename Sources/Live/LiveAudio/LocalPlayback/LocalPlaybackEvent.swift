/// An event of local playback. Its description is a sentence for the user.
package enum LocalPlaybackEvent: Equatable, Sendable, CustomStringConvertible {
  case sound(DeviceKeeper.Event)
  /// The device can be opened, and is closed until a source is connected. The value is the device's summary.
  case ready(String)
  /// The device was closed because no source is connected any more.
  case closed
  /// A port cannot be played.
  case failed(port: String, reason: String)
  /// A port, or a zone of it, takes long to be made. Others do not wait for it.
  case slow(port: String)
  /// A port plays a song without a deadline without being reset before.
  case notRenewed(port: String, reason: String)

  package var description: String {
    switch self {
    case .sound(let event): event.description
    case .ready(let summary):
      "sound: \(summary), as soon as a keyboard or a program is connected"
    case .closed: "sound: closed until a keyboard or a program is connected"
    case .failed(let port, let reason): "\(port) cannot be played: \(reason)"
    case .slow(let port): "\(port) takes long to start, and is silent until then"
    case .notRenewed(let port, let reason):
      "\(port) is not reset for a song without a deadline, so its reverb and chorus depend on what it "
        + "played before: \(reason)"
    }
  }
}
