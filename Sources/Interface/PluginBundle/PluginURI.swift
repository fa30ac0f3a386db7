public import NodeDirectory

/// The URIs of Portative's LV2 plugins and their properties.
public enum PluginURI {
  /// A property of plugins whose port the user selects: the component's type, subtype and manufacturer, separated by
  /// spaces, as in `instrument gmsy Ptvo`.
  public static let portProperty = "urn:portative:port"
  /// The property of the saved state with everything but the values of control ports: a string in JSON.
  public static let stateProperty = "urn:portative:state"

  /// Returns the URI of the plugin that plays a component: `urn:portative:instrument:gmsy:Ptvo`.
  public static func plugin(for component: ComponentDescription) -> String {
    "urn:portative:\(component.type):\(escape(component.subtype)):\(escape(component.manufacturer))"
  }

  /// Returns the URI of the plugin of a type whose port the user selects: `urn:portative:any:instrument`.
  public static func plugin(forAny type: PortType) -> String { "urn:portative:any:\(type)" }

  /// Replaces all characters but letters and digits by `%` and two hexadecimal digits (RFC 3986, section 2.1).
  private static func escape(_ code: FourCharacterCode) -> String {
    code.description.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if character.isLetter || character.isNumber { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" + digits : digits)
    }.joined()
  }
}
