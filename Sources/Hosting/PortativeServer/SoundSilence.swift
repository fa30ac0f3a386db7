/// Why a server has no sound.
package struct SoundSilence: Codable, Equatable, Sendable {
  package var kind: Kind
  /// The device's name as the user gave it.
  package var device: String?
  /// A clause for users.
  package var reason: String?

  package enum Kind: String, Codable, Sendable {
    /// The server was started without a sound device.
    case none
    /// The device cannot be opened.
    case unusable
    /// The device has stopped playing, and is used again when it returns.
    case lost
  }

  init(_ kind: Kind, device: String? = nil, reason: String? = nil) {
    (self.kind, self.device, self.reason) = (kind, device, reason)
  }
}
