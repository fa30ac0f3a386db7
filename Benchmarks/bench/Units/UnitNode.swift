import Effects
import Glibc
import NodeProtocol
import NodeServer
import RenderCore

/// The ports of a node to measure: `bench unit-node SOCKET` runs until standard input ends.
enum UnitNode: String, CaseIterable {
  /// A port with output only.
  case plain = "plai"
  /// A port with input and parameters, which its unit ignores.
  case loaded = "load"
  case delay = "dela"

  /// Publishes all ports.
  static func run(_ arguments: [String]) throws {
    guard let path = arguments.first else {
      throw BenchError("unit-node needs the path of a socket")
    }
    let server = try NodeServer(socketPath: path, peer: Peer(name: "units", processID: getpid()))
    for node in allCases {
      let port = try PortDescription(
        component: node.component(), name: "Bench: \(node)", version: SemanticVersion("1.0.0"))
      try server.publish(port, node.source)
    }
    print("ready")
    fflush(nil)
    _ = readAll(0)
    server.stop()
  }

  func component() throws -> ComponentDescription {
    try ComponentDescription(
      type: self == .plain ? .instrument : .effect, subtype: FourCharacterCode(rawValue),
      manufacturer: FourCharacterCode("Bnch"))
  }

  private var source: any RenderUnitSource {
    switch self {
    case .plain: EchoSource(touches: true)
    case .loaded: EchoSource(touches: true, parameters: Self.parameters)
    case .delay: DelaySource()
    }
  }

  static let parameters = ParameterTree(
    (0..<16).map { Parameter("p\($0)", "P \($0)", 0...1, default: 0) })
}
