/// The form in which a resonator's channels are kept: a byte of version, then two for each channel, the higher
/// one first.
enum SavedResonatorChannels {
  static let version: UInt8 = 1

  static func encode(_ channels: [UInt16]) -> [UInt8] {
    [version] + channels.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  /// - Parameter data: Empty for a fresh unit.
  static func decode(_ data: [UInt8]) throws(ResonatorStateError) -> [UInt16] {
    if data.isEmpty { return Array(repeating: ResonatorChannels.fresh, count: 16) }
    if data[0] != version { throw .unknownVersion(Int(data[0])) }
    if data.count != 33 { throw .broken }
    let channels = (0..<16).map { UInt16(data[1 + 2 * $0]) << 8 | UInt16(data[2 + 2 * $0]) }
    if channels.contains(where: { $0 >= 2 * ResonatorChannels.pedal }) { throw .broken }
    return channels
  }
}

/// Why a state cannot be restored.
enum ResonatorStateError: Error, Equatable, CustomStringConvertible {
  case unknownVersion(Int)
  case broken

  var description: String {
    switch self {
    case .unknownVersion(let version):
      "the state is of version \(version), but this resonator knows only version "
        + "\(SavedResonatorChannels.version): restore it with the Portative that saved it, or a later one"
    case .broken: "this is no state of a resonator: give one as it was saved"
    }
  }
}
