import Effects
import Glibc
import NodeDirectory
import NodeProtocol
import NodeServer
import RenderCore

/// A node to be measured: `bench unit-node SOCKET`, until standard input ends.
enum UnitNode: String, CaseIterable {
  /// Has nothing but output.
  case plain = "plai"
  /// Has input and parameters, of which it makes nothing.
  case laden = "lade"
  case delay = "dela"

  /// Publishes all of them.
  static func run(_ words: [String]) throws {
    guard let path = words.first else { throw BenchError("unit-node needs a socket's path") }
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
    case .laden: EchoSource(touches: true, parameters: Self.parameters)
    case .delay: DelaySource()
    }
  }

  static let parameters = ParameterTree(
    (0..<16).map { Parameter("p\($0)", "P \($0)", 0...1, default: 0) })
}
