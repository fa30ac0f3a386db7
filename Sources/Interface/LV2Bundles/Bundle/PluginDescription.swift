public import NodeProtocol
public import RenderCore

/// An LV2 plugin that plays a port.
public struct PluginDescription: Codable, Equatable, Sendable {
  public let uri: String
  public let type: PortType
  /// The port that the plugin plays; `nil` if the user selects it by the property ``PluginURI/portProperty``.
  public let port: PortDescription?
  public let inputChannels: Int
  public let outputChannels: Int
  /// The unit's parameters when the bundle was written, one for each control port; empty if ``port`` is `nil`. Their
  /// defaults are the values of a new unit.
  public let parameters: ParameterTree
  /// The files of the unit that the user can choose; `nil` in bundles of earlier versions.
  public let files: [PluginFile]?

  public init(
    uri: String, type: PortType, port: PortDescription?, inputChannels: Int, outputChannels: Int,
    parameters: ParameterTree, files: [PluginFile] = []
  ) {
    self.uri = uri
    self.type = type
    self.port = port
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.parameters = parameters
    self.files = files
  }
}
