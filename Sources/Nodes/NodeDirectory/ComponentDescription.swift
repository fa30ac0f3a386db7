/// Tells one kind of port from all others, wherever it is published.
///
/// The same three values mean the same component in every version of it: a host may store them in
/// a document and find it again.
public struct ComponentDescription: Hashable, Codable, Sendable, CustomStringConvertible {
  public let type: PortType
  /// Tells apart the components of one manufacturer.
  public let subtype: FourCharacterCode
  public let manufacturer: FourCharacterCode

  public init(type: PortType, subtype: FourCharacterCode, manufacturer: FourCharacterCode) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// The three in a row: `instrument gmsy Ptvo`.
  public var description: String { "\(type) \(subtype) \(manufacturer)" }
}
