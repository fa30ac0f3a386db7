/// The identity of a component: a type, a subtype and a manufacturer.
///
/// The three values stay the same in every version of the component, so a host may store them in a document and find
/// the component again.
public struct ComponentDescription: Hashable, Codable, Sendable, CustomStringConvertible {
  public let type: PortType
  /// Distinguishes components of the same manufacturer and type.
  public let subtype: FourCharacterCode
  public let manufacturer: FourCharacterCode

  public init(type: PortType, subtype: FourCharacterCode, manufacturer: FourCharacterCode) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// The three values, separated by spaces: `instrument gmsy Ptvo`.
  public var description: String { "\(type) \(subtype) \(manufacturer)" }
}
