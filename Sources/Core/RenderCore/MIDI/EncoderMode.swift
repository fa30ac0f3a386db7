/// How an endless encoder sends its steps in the value of a controller.
package enum EncoderMode: String, CaseIterable, Codable, Hashable, Sendable {
  /// 1 to 63 are steps up; 127 is one step down, 64 are 64.
  case twosComplement
  /// 64 is no step, 65 one up, and 63 one down.
  case offset
  /// 1 to 63 are steps up; 65 is one step down, 127 are 63.
  case signMagnitude

  /// Returns the steps of a controller's value: below 0 for steps down.
  package func steps(_ value: UInt8) -> Int {
    let value = Int(value & 127)
    return switch self {
    case .twosComplement: value < 64 ? value : value - 128
    case .offset: value - 64
    case .signMagnitude: value < 64 ? value : 64 - value
    }
  }
}
