import Glibc
import NodeProtocol
import NodeServer
import RenderCore

/// The node's side of a connection's round trip: `bench connection-node SOCKET`.
///
/// Publishes a port with an empty unit until standard input ends.
enum EchoNode {
  static func run(_ arguments: [String]) throws {
    guard let path = arguments.first else {
      throw BenchError("connection-node needs the path of a socket")
    }
    let server = try NodeServer(
      socketPath: path, peer: Peer(name: "echo", processID: getpid()))
    let port = try PortDescription(
      component: component(), name: "Bench: Echo", version: SemanticVersion("1.0.0"))
    try server.publish(port, EchoSource(touches: arguments.contains("--touch")))
    print("ready")
    fflush(nil)
    _ = readAll(0)
    server.stop()
  }

  static func component() throws -> ComponentDescription {
    try ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("echo"),
      manufacturer: FourCharacterCode("Bnch"))
  }
}

/// Creates empty units.
struct EchoSource: RenderUnitSource {
  let touches: Bool
  var parameters = ParameterTree()

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    EchoUnit(touches: touches, parameters)
  }
}

/// A unit that writes silence, or does not touch its output.
private final class EchoUnit: RenderUnit, @unchecked Sendable {
  private let touches: UnsafeMutablePointer<Bool>

  let parameters: ParameterStore?

  init(touches: Bool, _ parameters: ParameterTree) {
    self.parameters = parameters.parameters.isEmpty ? nil : ParameterStore(parameters)
    self.touches = .allocate(capacity: 1)
    self.touches.initialize(to: touches)
  }

  deinit { touches.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(touches), renderEcho) }
}

@_noLocks private func renderEcho(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  if state.load(as: Bool.self) {
    for channel in 0..<2 { cycle.output[channel].update(repeating: 0, count: cycle.frames) }
  }
  return false
}
