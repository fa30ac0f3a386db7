import NodeDirectory
public import RenderCore

/// Makes units of which each plays a chain of nodes: a node that is a host itself.
///
/// MIDI goes to every node that takes it; each one's audio is the next one's input; the last one's is the unit's.
public struct ChainSource: RenderUnitSource {
  private let connect: @Sendable () throws(ConnectionError) -> [Connection]

  /// - Parameter connect: Takes the ports, from the first to the last: one at least.
  public init(_ connect: @escaping @Sendable () throws(ConnectionError) -> [Connection]) {
    self.connect = connect
  }

  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  /// - Throws: ``ConnectionError`` when one of the nodes cannot be had, or not in this format.
  public func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let connections = try connect()
    for (index, connection) in connections.enumerated() {
      var own = format
      let takesAudio = connection.port.component.type.takesAudio
      // What is in front of the first node is in front of the chain.
      own.inputChannels =
        takesAudio ? (index == 0 ? format.inputChannels : format.channels) : 0
      // Less than the host in front waits, so that a node which hangs is silence there, and not a late cycle.
      connection.deadlineFraction = 0.7
      connection.stallLimit = .seconds(7)
      try connection.initialize(
        own, mode: use.isOffline ? .offline : .realtime, priority: use.priority)
    }
    return ChainUnit(connections, format)
  }
}
