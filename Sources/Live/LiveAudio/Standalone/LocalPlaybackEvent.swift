/// What happens while ports are played to a sound device. Its description is a sentence.
public enum LocalPlaybackEvent: Equatable, Sendable, CustomStringConvertible {
  /// The device is open, as described.
  case playing(String)
  /// The device can be had, as described, and is closed until something is connected.
  case ready(String)
  /// The device is closed, for nothing is connected any more.
  case closed
  /// It cannot be had.
  case silent(SoundDeviceError)
  case device(SoundDeviceEvent)
  /// A port cannot be played.
  case failed(port: String, reason: String)

  public var description: String {
    switch self {
    case .playing(let summary): "sound: \(summary)"
    case .ready(let summary):
      "sound: \(summary), as soon as a keyboard or a program is connected"
    case .closed: "sound: closed until a keyboard or a program is connected"
    case .silent(let error):
      error.description + (error.mayPass ? "; then the sound begins by itself" : "")
    case .device(let event): event.description
    case .failed(let port, let reason): "\(port) cannot be played: \(reason)"
    }
  }
}
