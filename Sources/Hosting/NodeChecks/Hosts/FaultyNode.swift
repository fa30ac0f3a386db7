import Glibc
import LocalSystem
import NodeProtocol
import Synchronization

/// A node of this process with one fault, which also observes the hosts that connect.
///
/// Threads: any.
final class FaultyNode: Sendable {
  /// What the node has seen of its hosts.
  struct Observation {
    var connections = 0
    /// What hosts did that the protocol excludes, in sentences.
    var faults: [String] = []
    var cycles = 0
    var events = 0
    /// When the fault appeared first.
    var faultTime: ContinuousClock.Instant?
    /// Whether a host has rendered on after it was told what cannot be true.
    var believesLie = false
  }

  /// The name of the node.
  static let name = "check"

  static func port(_ type: PortType) -> PortDescription {
    // The parts are valid.
    try! PortDescription(
      component: ComponentDescription(
        type: type, subtype: FourCharacterCode("chck"), manufacturer: FourCharacterCode("Ptvo")),
      name: "Check: Port", version: SemanticVersion("1.0.0"))
  }

  private let listener: PacketListener
  private let entry: RunningNode
  private let shared = Mutex(Observation())
  private let connections = Mutex<[PacketSocket]>([])

  /// Publishes the port.
  ///
  /// - Parameter environment: Where hosts find the node.
  init(
    _ fault: HostFault, _ type: PortType, in environment: ProcessEnvironment
  ) throws(Failure) {
    do {
      let port = Self.port(type)
      entry = try RunningNode.claim(Self.name, in: NodeDirectories(environment))
      listener = try PacketListener(path: entry.socketPath)
      try entry.publish([port])
      try SystemThread(name: "check-node") { [listener, weak self] in
        while let socket = try? listener.accept().get() {
          self?.serve(socket, fault, port)
        }
      }.detach()
    } catch {
      throw Failure(.failed, "cannot publish a port for the host: \(error)")
    }
  }

  deinit { close() }

  /// Ends all connections, and withdraws the port.
  func close() {
    listener.close()
    connections.withLock { sockets in
      sockets.forEach { $0.shutDown() }
      sockets = []
    }
    entry.close()
  }

  var observation: Observation { shared.withLock(\.self) }

  func observe(_ change: (inout Observation) -> Void) { shared.withLock { change(&$0) } }

  /// Notes what a host has done wrong, of many things the first few.
  func blame(_ sentence: String) {
    observe { seen in
      if seen.faults.count < 5, !seen.faults.contains(sentence) { seen.faults.append(sentence) }
    }
  }

  /// Notes that the fault has appeared.
  func noteFault() { observe { $0.faultTime = $0.faultTime ?? .now } }

  private func serve(_ socket: PacketSocket, _ fault: HostFault, _ port: PortDescription) {
    observe { $0.connections += 1 }
    connections.withLock { $0.append(socket) }
    try? SystemThread(name: "check-session") { [weak self] in
      guard let self else { return }
      FaultySession(socket, fault, port, self).run()
    }.detach()
  }
}
