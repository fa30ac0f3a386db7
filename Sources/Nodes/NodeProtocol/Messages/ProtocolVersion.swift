/// The versions of the protocol that a side understands.
package struct VersionRange: Codable, Equatable, Sendable {
  package var minimum: Int
  package var maximum: Int

  package init(_ range: ClosedRange<Int>) {
    minimum = range.lowerBound
    maximum = range.upperBound
  }

  /// The versions that this library understands.
  package static let supported = VersionRange(2...2)

  /// Returns the highest version that both sides understand; `nil` if there is none.
  package func common(with other: VersionRange) -> Int? {
    let version = min(maximum, other.maximum)
    return version >= max(minimum, other.minimum) ? version : nil
  }
}

/// The optional parts of the protocol, by name. A side uses a feature only if both have it.
package enum Feature {
  /// Requests for the files of a unit, and files in its state.
  package static let files = "files"

  /// Changes of the settings of a described port.
  package static let settings = "settings"

  package static let panic = "panic"

  /// States of any length, in parts.
  package static let stateParts = "stateParts"

  package static let scenes = "scenes"

  /// Requests for what keyboards have played.
  package static let take = "take"

  /// Learned and configured controls of keyboards.
  package static let controls = "controls"

  /// A song that is played beside the keyboards.
  package static let song = "song"

  /// The features of every node.
  package static let ofPorts = [files, settings, panic, stateParts]

  /// The features of a node that keyboards play.
  package static let ofKeyboards = [scenes, take, controls, song]

  package static let supported = ofPorts + ofKeyboards
}
