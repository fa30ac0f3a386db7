public import NodeProtocol
public import RenderCore
import Synchronization

/// Reads and changes the settings of a port without acquiring it: those of the unit that keyboards play, or that a host
/// plays.
///
/// Changes act from the next cycle on. If a host plays the unit, it is told. Otherwise the units that keyboards play
/// later have the same settings, until the node ends.
///
/// Realtime: no. Threads: any. The node must answer within 5 s, or 60 s where it may read a SoundFont.
public final class PortControl: Sendable {
  public let port: PortDescription
  /// The unit's latency in frames.
  public let latency: Int
  /// The unit's tail in frames; `nil` if unknown.
  public let tail: Int?
  public let parameters: ParameterTree
  private let link: ControlLink

  init(_ link: ControlLink, _ component: ComponentDescription) throws(ConnectionError) {
    self.link = link
    let answer = try link.send(
      DescribePort(component: component), seconds: ControlLink.preparationLimit)
    port = answer.port
    latency = answer.unit.latency
    tail = answer.unit.tail
    parameters = try link.parameters(answer.unit.parameterCount)
  }

  deinit { link.close() }

  /// Returns the current values, in the order of the parameters.
  public func values() throws(ConnectionError) -> [Float] {
    try link.values(parameters.parameters.count)
  }

  public func presets() throws(ConnectionError) -> [Preset] { try link.presets() }

  /// Returns the files that the unit plays; none for a node of an earlier version.
  public func files() throws(ConnectionError) -> [UnitFile] { try link.files() }

  /// Sets parameters: all or, on an error, none.
  ///
  /// - Parameter values: The values by identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter` and a message with the identifier and the range.
  public func set(_ values: [String: Float]) throws(ConnectionError) {
    try check()
    _ = try link.send(SetParameters(values: values))
  }

  /// Sets the parameters of a preset.
  ///
  /// - Parameter index: The index in ``presets()``.
  public func usePreset(_ index: Int) throws(ConnectionError) {
    try check()
    _ = try link.send(UsePreset(index: index))
  }

  /// Replaces a file that the unit plays.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `unusableFile`.
  public func setFile(_ identifier: String, to file: FileReference) throws(ConnectionError) {
    try check()
    _ = try link.send(
      SetFile(identifier: identifier, file: file), seconds: ControlLink.preparationLimit)
  }

  private func check() throws(ConnectionError) {
    if link.features.withLock({ $0.contains(Feature.settings) }) { return }
    throw .refused(
      ProtocolError(
        .unknownMethod,
        "the node of \(port.name) has an earlier version, which cannot change the settings: update it"
      ))
  }
}

extension AudioHost {
  /// Returns the control of a port. Starts the node if it does not run.
  ///
  /// - Parameters:
  ///   - component: A component of a ``ComponentRegistry``.
  ///   - limit: The longest wait for a node to start and publish the component.
  public func control(
    of component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> PortControl {
    try launch(component, within: limit)
    return try control(
      of: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
  }

  /// Returns the control of a port of the node that listens at a path.
  package func control(
    of component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> PortControl {
    try PortControl(try openLink(node, socketPath), component)
  }
}
