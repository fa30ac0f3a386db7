import FoundationEssentials
public import NodeDirectory
public import NodeProtocol

/// What keyboards have played on a node's sound device.
public struct NodeTake: Sendable {
  /// A Standard MIDI File with a track for each port; empty if no note was played.
  public let file: [UInt8]
  public let properties: TakeProperties
}

extension AudioHost {
  /// Returns what keyboards have played on the sound device of a running node.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - node: The name of a running node.
  ///   - component: The port; `nil` for all ports of the node.
  ///   - seconds: The events of so many seconds before now; `nil` for all that the node has kept.
  ///   - keepsSilence: Whether the file begins where the instrument began to render, if one instrument played all of
  ///     it or all began together, instead of with the first note.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node of an earlier version.
  public func take(
    ofNode node: String, component: ComponentDescription? = nil, seconds: Double? = nil,
    keepsSilence: Bool = false
  ) throws(ConnectionError) -> NodeTake {
    try take(
      ofNode: node, component: component, seconds: seconds, keepsSilence: keepsSilence,
      socketPath: socketPath(ofNode: node))
  }

  /// Returns what keyboards have played on the node that listens at a path.
  package func take(
    ofNode node: String, component: ComponentDescription?, seconds: Double?, keepsSilence: Bool,
    socketPath: String
  ) throws(ConnectionError) -> NodeTake {
    let link = try openLink(node, socketPath)
    defer { link.close() }
    var request = GetTake(component: component, seconds: seconds, keepsSilence: keepsSilence)
    var file: [UInt8] = []
    while true {
      request.offset = file.count
      let part = try link.send(request, seconds: ControlLink.preparationLimit)
      guard let bytes = Data(base64Encoded: part.data),
        (0...Self.takeLimit).contains(part.total), file.count + bytes.count <= part.total,
        !bytes.isEmpty || file.count == part.total
      else { throw link.protocolViolation() }
      file += bytes
      if file.count == part.total { return NodeTake(file: file, properties: part.take) }
    }
  }

  /// The greatest length of a file that a node may send.
  private static let takeLimit = 1 << 28
}
