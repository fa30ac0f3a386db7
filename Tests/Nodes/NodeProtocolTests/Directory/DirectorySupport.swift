import FoundationEssentials
import Glibc
import LocalSystem
import NodeProtocol
import Synchronization
import TestSupport

func component(
  _ subtype: String, type: PortType = .instrument
) throws -> ComponentDescription {
  ComponentDescription(
    type: type, subtype: try FourCharacterCode(subtype), manufacturer: try FourCharacterCode("Ptvo")
  )
}

func port(
  _ subtype: String, type: PortType = .instrument, name: String = "Maker: Organ",
  version: String = "1.2.3", icon: String? = nil, tags: [String] = [],
  channels: PortChannels? = nil
) throws -> PortDescription {
  try PortDescription(
    component: component(subtype, type: type), name: name, version: SemanticVersion(version),
    icon: icon, tags: tags, channels: channels)
}

struct TimeoutError: Error {}

/// Waits until a condition is true; throws if that takes too long.
func wait(until isTrue: () throws -> Bool) throws {
  guard try eventually(isTrue) else { throw TimeoutError() }
}

/// Holds nodes that several threads have claimed.
final class Holders: Sendable {
  private let nodes = Mutex<[RunningNode]>([])
  func add(_ node: RunningNode) { nodes.withLock { $0.append(node) } }
  var count: Int { nodes.withLock(\.count) }
}

/// Temporary folders of one user. Nodes that run there end with it.
final class TemporaryNodes {
  let system = TemporarySystem()
  var directories: NodeDirectories { NodeDirectories(system.environment) }

  init() throws {
    try system.add("runtime/x", "")
    system.environment.variables["XDG_RUNTIME_DIR"] = "\(system.root)/runtime"
    system.environment.variables["PATH"] = "\(system.root)/bin:/usr/bin:/bin"
  }

  deinit {
    for node in RunningNode.all(in: directories) where node.processID != getpid() {
      kill(node.processID, SIGKILL)
    }
  }

  func runtimeFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directories.runtime).sorted()
  }

  /// Writes an executable script.
  ///
  /// - Returns: Its path.
  func addScript(_ name: String, _ lines: String) throws -> String {
    let path = try system.add("bin/\(name)", "#!/bin/sh\n\(lines)\n")
    if chmod(path, 0o755) != 0 { throw CocoaError(.fileWriteUnknown) }
    return path
  }

  /// Returns the lines of a shell script that becomes a node and runs for a minute.
  ///
  /// `mv` does not inherit the lock's descriptor, because it might briefly outlive a killed node.
  func nodeScript(_ name: String, ports: [PortDescription]) throws -> String {
    let list = String(decoding: try JSONEncoder().encode(ports), as: UTF8.self)
    return """
      cd "$XDG_RUNTIME_DIR/portative"
      exec 9>'\(name).lock'
      flock -w 1 9 || { echo 'the name is taken' >&2; exit 3; }
      : >'\(name).socket'
      cat >.new <<END
      {"name": "\(name)", "processID": $$, "ports": \(list)${PORTATIVE_LAUNCHED:+, \"wasLaunched\": true}}
      END
      mv .new '\(name).json' 9>&-
      exec sleep 60
      """
  }

  /// Runs a node as a separate process.
  func startNode(_ name: String, ports: [PortDescription]) throws -> DetachedProgram {
    try directories.prepareRuntime()
    let script = try addScript("node-\(name)", nodeScript(name, ports: ports))
    let log = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(log) }
    return try DetachedProgram(
      script, arguments: [script], variables: system.environment.variables, log: log)
  }
}

/// Collects numbers from several threads.
final class Numbers: Sendable {
  private let list = Mutex<[Int32]>([])
  func add(_ number: Int32) { list.withLock { $0.append(number) } }
  var values: [Int32] { list.withLock(\.self) }
}
