import Foundation
import LocalSystem
import NodeHost
import NodeProtocol
import ProgramTestSupport
import TestSupport
import Testing

/// A user whose nodes run in processes of their own, and a host in this process that plays their ports.
final class NodeUser {
  let user: TemporaryUser
  let host: AudioHost
  private let environment: ProcessEnvironment

  init() throws {
    user = try TemporaryUser()
    environment = ProcessEnvironment(variables: user.variables)
    host = AudioHost(name: "Sequencer", environment: environment)
  }

  /// Starts a node and waits until all of its ports are published.
  ///
  /// - Parameter ports: The ports as in a configuration.
  @discardableResult
  func serve(_ node: String, _ ports: [String]) throws -> Program {
    let text = "{ ports: [\(ports.joined(separator: ", "))] }"
    let file = try user.folder.put(Data(text.utf8), "\(node).json")
    let program = try user.serve("--config", file, node: node)
    try program.wait { user.ports(of: node)?.count == ports.count }
    return program
  }

  func connect(_ name: String) throws -> Connection {
    let components = ComponentRegistry(environment).components()
    return try host.connect(to: #require(components.first { $0.port.name == name }))
  }

  func connect(_ unit: ShippedUnit) throws -> Connection { try connect(unit.portName) }

  /// Connects to a node's unit for offline rendering.
  func stage(_ unit: ShippedUnit, sampleRate: Int = 48_000) throws -> HostedStage {
    try HostedStage(connect(unit), inputs: unit.inputs, sampleRate: sampleRate)
  }
}
