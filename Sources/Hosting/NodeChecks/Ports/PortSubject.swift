package import LocalSystem
package import NodeHost
package import NodeProtocol
import RenderCore

/// A port of a node to check.
package struct PortSubject: CheckSubject {
  private let component: Component
  private let host: AudioHost
  private let format: Format
  package let node: CheckedNode?

  /// Finds the numbers of channels that the port has. Starts its node if it does not run.
  ///
  /// - Parameter environment: Determines the folders of manifests and running nodes.
  package init(
    _ component: Component, in environment: ProcessEnvironment = .current
  ) throws(ConnectionError) {
    self.component = component
    host = AudioHost(name: "portative check", environment: environment)
    var format = component.port.usualFormat
    let connection = try host.connect(to: component)
    // A unit may refuse either number.
    for _ in 0..<2 {
      do throws(ConnectionError) {
        try connection.initialize(format, mode: .offline, priority: 0)
        break
      } catch {
        guard case .refused(let refusal) = error,
          let other = refusal.allowedChannels(nearest: format)
        else { throw error }
        format = other
      }
    }
    self.format = format
    do throws(NodeError) {
      node = CheckedNode(
        socketPath: try NodeDirectories(environment).socketPath(of: component.node),
        name: component.node, component: component.port.component,
        process: connection.node.processID, format: format)
    } catch {
      throw .system(error.description)
    }
    connection.close()
  }

  package var name: String { component.port.name }
  package var type: PortType { component.port.component.type }
  package var inputs: Int { format.inputChannels }
  package var outputs: Int { format.outputChannels }
  package var isHardRealtime: Bool { false }
  package var hasLatency: Bool { true }
  package var withoutPreset: Self { self }
  package var longestCycle: Int { 8192 }
  package var measurements: [Measurement] {
    Measurement.ofPorts.filter { ![.realtime, .denormals, .end].contains($0) }
  }

  /// Acquires the port, if necessary after the connection before has ended.
  package func connect(isProbed: Bool) throws(ConnectionError) -> Connection {
    let release = PortRelease()
    while true {
      do throws(ConnectionError) {
        return try host.connect(to: component)
      } catch {
        guard case .refused(let refusal) = error, refusal.code == .portInUse, release.wait() else {
          throw error
        }
      }
    }
  }

  package func panic() throws(ConnectionError) {
    try host.panic(component.node, component: component.port.component)
  }
}

/// A node whose messages can be checked.
package struct CheckedNode: Sendable {
  let socketPath: String
  let name: String
  let component: ComponentDescription
  let process: Int32
  /// The channels that the port has.
  let format: Format
}
