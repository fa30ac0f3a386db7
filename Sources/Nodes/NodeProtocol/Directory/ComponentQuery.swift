/// A filter for components. A field that is `nil` matches anything.
public struct ComponentQuery: Hashable, Sendable {
  public var type: PortType?
  public var subtype: FourCharacterCode?
  public var manufacturer: FourCharacterCode?
  /// A name as a user types it: `Maker: Name`, or only the part after the colon. Case is ignored unless the full
  /// name matches exactly.
  public var name: String?

  /// Matches every component.
  public static let any = ComponentQuery()

  public init(
    type: PortType? = nil, subtype: FourCharacterCode? = nil,
    manufacturer: FourCharacterCode? = nil,
    name: String? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
    self.name = name
  }

  /// Matches one component.
  public init(_ component: ComponentDescription) {
    self.init(
      type: component.type, subtype: component.subtype, manufacturer: component.manufacturer)
  }

  /// Whether the type, subtype and manufacturer match. Ignores ``name``.
  public func matches(_ component: ComponentDescription) -> Bool {
    type.map { $0 == component.type } ?? true
      && subtype.map { $0 == component.subtype } ?? true
      && manufacturer.map { $0 == component.manufacturer } ?? true
  }

  /// Returns the elements that match, in their original order.
  ///
  /// If at least one element has exactly ``name``, only such elements are returned, so that similar names can always be
  /// distinguished. More than one element may remain; the caller chooses one or reports that the name is ambiguous.
  ///
  /// - Parameters:
  ///   - elements: The elements to filter.
  ///   - port: Returns the port description of an element.
  public func select<Element>(
    from elements: [Element], by port: (Element) -> PortDescription
  ) -> [Element] {
    let matching = elements.filter { matches(port($0).component) }
    guard let name else { return matching }
    let exact = matching.filter { port($0).name == name }
    if !exact.isEmpty { return exact }
    let lowercased = name.lowercased()
    return matching.filter {
      let port = port($0)
      return port.shortName.lowercased() == lowercased || port.name.lowercased() == lowercased
    }
  }
}
