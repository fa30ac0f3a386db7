import NodeProtocol
public import RenderCore

/// Creates units that play a chain of nodes, for a node that is itself a host.
///
/// Every node that accepts MIDI receives the MIDI. The audio of each node is the input of the next; the audio of the
/// last node is the output of the unit.
public struct ChainSource: RenderUnitSource {
  private let connect: @Sendable () throws(ConnectionError) -> [Connection]

  /// Creates a source.
  ///
  /// - Parameter connect: Acquires the ports of the chain, from the first to the last; at least one.
  public init(_ connect: @escaping @Sendable () throws(ConnectionError) -> [Connection]) {
    self.connect = connect
  }

  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  /// - Throws: ``ConnectionError`` when a port cannot be acquired or does not support the format.
  public func makeUnit(_ format: Format, for context: RenderContext) throws -> any RenderUnit {
    let connections = try connect()
    for (index, connection) in connections.enumerated() {
      var own = format
      let takesAudio = connection.port.component.type.takesAudio
      // The input of the first node is the input of the chain.
      own.inputChannels =
        takesAudio ? (index == 0 ? format.inputChannels : format.outputChannels) : 0
      // Shorter than the limits of the chain's own host, so that a node that hangs causes silence and not a late cycle
      // there.
      connection.deadlineFraction = 0.7
      connection.stallLimit = .seconds(7)
      try connection.initialize(
        own, mode: context.isOffline ? .offline : .realtime, priority: context.priority)
    }
    return ChainUnit(connections, format)
  }
}
