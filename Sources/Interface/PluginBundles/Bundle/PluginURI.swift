import LocalSystem
public import NodeProtocol

/// The URIs of Portative's LV2 plugins and their properties.
public enum PluginURI {
  /// A property of plugins whose port the user selects: the component's type, subtype and manufacturer, separated by
  /// spaces, as in `instrument gmsy Ptvo`.
  public static let portProperty = "urn:portative:port"
  /// The property of the saved state with everything but the values of control ports: a string in JSON.
  public static let stateProperty = "urn:portative:state"

  /// The class of the message by which a user interface asks for the window.
  public static let show = "urn:portative:show"

  /// The number of URIs of user interfaces.
  package static let windowCount: UInt32 = 4096

  /// Returns the URI of the user interface in the bundle of a node. Bundles of two nodes have different ones, as far as
  /// ``windowCount`` suffices.
  package static func window(ofNode name: String) -> String { window(name.fnvHash % windowCount) }

  /// - Parameter number: Below ``windowCount``.
  package static func window(_ number: UInt32) -> String { "urn:portative:window:\(number)" }

  /// The class of user interfaces outside of the host's windows, and the feature of hosts that show them.
  package static let externalWidget = "http://kxstudio.sf.net/ns/lv2ext/external-ui#Widget"
  package static let externalHost = "http://kxstudio.sf.net/ns/lv2ext/external-ui#Host"

  /// The interface by which Ardour asks for the names of presets and drums.
  public static let midiNames = "http://ardour.org/lv2/midnam#interface"

  /// Returns the URI of the property for a file of the unit, `urn:portative:file:soundfont`: a path.
  public static func fileProperty(_ identifier: String) -> String {
    "urn:portative:file:\(PercentEncoding.encode(identifier))"
  }

  /// Returns the URI of the plugin that plays a component: `urn:portative:instrument:gmsy:Ptvo`.
  public static func plugin(for component: ComponentDescription) -> String {
    "urn:portative:\(component.type):\(escape(component.subtype)):\(escape(component.manufacturer))"
  }

  /// Returns the URI of the plugin of a type whose port the user selects: `urn:portative:any:instrument`.
  public static func plugin(forAny type: PortType) -> String { "urn:portative:any:\(type)" }

  /// Encodes all characters but letters and digits.
  private static func escape(_ code: FourCharacterCode) -> String {
    PercentEncoding.encode(code.description)
  }
}
