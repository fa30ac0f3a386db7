import RenderCore

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
