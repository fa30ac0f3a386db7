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

/// The order of a plugin's LV2 ports. It is the same in the Turtle files and in the shared object.
public struct PluginPorts: Equatable, Sendable {
  /// An atom port: MIDI, the host's transport and messages of properties.
  public static let events = 0
  /// An atom port: the MIDI that the node sends, and messages of properties.
  public static let notifications = 1
  /// A control port: 1 while the host renders without a deadline.
  public static let freewheel = 2
  /// A control port: 0 to bypass the plugin.
  public static let enabled = 3
  /// A control port: the delay in frames.
  public static let latency = 4

  public let audioInputs: Range<Int>
  public let audioOutputs: Range<Int>
  /// One control port for each parameter.
  public let parameters: Range<Int>

  public init(_ plugin: PluginDescription) {
    audioInputs = 5..<5 + plugin.inputChannels
    audioOutputs = audioInputs.upperBound..<audioInputs.upperBound + plugin.outputChannels
    parameters =
      audioOutputs.upperBound..<audioOutputs.upperBound + plugin.parameters.parameters.count
  }

  public var count: Int { parameters.upperBound }
}
