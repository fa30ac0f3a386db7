/// A wild card for components: a field that is `nil` matches anything.
public struct ComponentQuery: Hashable, Sendable {
  public var type: PortType?
  public var subtype: FourCharacterCode?
  public var manufacturer: FourCharacterCode?
  /// A name as a person gives it: the whole, `Maker: Name`, or only what is after the colon, then
  /// in upper or lower case.
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

  /// Whether the three fields match; ``name`` is not looked at.
  public func matches(_ component: ComponentDescription) -> Bool {
    type.map { $0 == component.type } ?? true
      && subtype.map { $0 == component.subtype } ?? true
      && manufacturer.map { $0 == component.manufacturer } ?? true
  }

  /// Those that match, in their order.
  ///
  /// If any has the very ``name``, the others are left out: so there is always a way to name one of
  /// several that are alike. Several may be left all the same; which one to take, or that the
  /// name is ambiguous, is for the caller to say.
  ///
  /// - Parameter port: What an element says of itself.
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
