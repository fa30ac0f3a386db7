/// The saved form of a resonator's channels: one version byte, then two bytes per channel, big-endian.
enum SavedResonatorChannels {
  static let version: UInt8 = 1

  static func encode(_ channels: [UInt32]) -> [UInt8] {
    [version] + channels.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  /// Decodes 16 channels.
  ///
  /// - Parameter data: A saved state; empty for the state of a new unit.
  static func decode(_ data: [UInt8]) throws(ResonatorStateError) -> [UInt32] {
    if data.isEmpty { return Array(repeating: ResonatorChannels.initial, count: 16) }
    if data[0] != version { throw .unknownVersion(Int(data[0])) }
    if data.count != 33 { throw .broken }
    let channels = (0..<16).map { UInt32(data[1 + 2 * $0]) << 8 | UInt32(data[2 + 2 * $0]) }
    if channels.contains(where: { $0 >= 2 * ResonatorChannels.pedal }) { throw .broken }
    return channels
  }
}

/// The reason why a state cannot be restored.
enum ResonatorStateError: Error, Equatable, CustomStringConvertible {
  case unknownVersion(Int)
  case broken

  var description: String {
    switch self {
    case .unknownVersion(let version):
      "the state has version \(version), but this resonator supports only version "
        + "\(SavedResonatorChannels.version): restore it with the version of Portative that saved it, or a later one"
    case .broken: "the data are not a resonator state: restore a state exactly as it was saved"
    }
  }
}
