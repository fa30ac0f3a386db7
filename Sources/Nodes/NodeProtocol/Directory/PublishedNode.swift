import Glibc
import LocalSystem

/// A running node and the ports that it publishes.
///
/// This is the content of `NAME.json` in ``NodeDirectories/runtime``. The file is valid only while `NAME.lock` is held,
/// so read it with ``find(_:in:)`` or ``RunningNode/all(in:)``.
public struct PublishedNode: Hashable, Codable, Sendable {
  public let name: String
  /// The process that claimed the name.
  public let processID: Int32
  /// The published ports. Empty while the node prepares them.
  public let ports: [PortDescription]
  /// Whether a host started the node. A server that its user starts takes over the name of such a node.
  public let wasLaunched: Bool

  init(name: String, processID: Int32, ports: [PortDescription], wasLaunched: Bool = false) {
    self.name = name
    self.processID = processID
    self.ports = ports
    self.wasLaunched = wasLaunched
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    processID = try fields.decode(Int32.self, forKey: .processID)
    ports = try fields.decode([PortDescription].self, forKey: .ports)
    wasLaunched = try fields.decodeIfPresent(Bool.self, forKey: .wasLaunched) ?? false
  }

  public func publishes(_ component: ComponentDescription) -> Bool {
    ports.contains { $0.component == component }
  }

  /// Returns the node with a name, if it runs. Otherwise removes the files that it left behind.
  ///
  /// - Throws: ``ComponentProblem`` when the node's list of ports cannot be read, or the runtime folder is not private
  ///   to this user.
  public static func find(
    _ name: String, in directories: NodeDirectories
  ) throws(ComponentProblem) -> PublishedNode? {
    let socketPath: String
    do {
      guard try directories.hasRuntime() else { return nil }
      socketPath = try directories.socketPath(of: name)
    } catch {
      throw ComponentProblem(path: directories.runtime, message: "\(error)")
    }
    let file = directories.publishedFile(of: name)
    // The files are removed while the lock is held, so that no other process can claim the name and lose files that it
    // has just written. If the next owner removed them instead, hosts could briefly read the old list as the new one.
    let lock = directories.lockFile(of: name)
    let runs = FileLock.isHeld(lock) { age in
      unlink(file)
      unlink(socketPath)
      // A recent lock file may belong to a node that has created it but not locked it yet.
      if age > RunningNode.staleLockAge { unlink(lock) }
    }
    return runs ? try read(name, in: directories) : nil
  }

  /// Reads a node's list of ports without checking that the node runs.
  ///
  /// - Returns: `nil` if the node has written no list.
  static func read(
    _ name: String, in directories: NodeDirectories
  ) throws(ComponentProblem) -> PublishedNode? {
    let file = directories.publishedFile(of: name)
    func problem(_ reason: String) -> ComponentProblem {
      ComponentProblem(
        path: file,
        message: "the list of ports in '\(file)' is unusable: \(reason); stop the node")
    }
    let node: PublishedNode?
    do {
      node = try JSON5File.read(PublishedNode.self, at: file, followsLinks: false)
    } catch {
      throw problem(error.description)
    }
    guard let node else { return nil }
    if node.name != name { throw problem("'name' is '\(node.name)', not the name of the file") }
    if node.processID < 1 {
      throw problem("'processID' is \(node.processID), which is not a process ID")
    }
    return node
  }
}

extension RunningNode {
  /// Returns the running nodes, sorted by name.
  ///
  /// A node whose list of ports cannot be read is skipped; ``ComponentRegistry/problems`` gives the reason.
  public static func all(in directories: NodeDirectories) -> [PublishedNode] {
    read(in: directories).nodes
  }

  /// Returns the running nodes, sorted by name, and the reasons why others, or all, cannot be read.
  package static func read(
    in directories: NodeDirectories
  ) -> (nodes: [PublishedNode], problems: [ComponentProblem]) {
    var nodes: [PublishedNode] = []
    var problems: [ComponentProblem] = []
    let names: [String]
    do {
      guard try directories.hasRuntime() else { return ([], []) }
      names = try Folder.names(in: directories.runtime, suffix: ".lock")
    } catch {
      return ([], [ComponentProblem(path: directories.runtime, message: error.description)])
    }
    directories.clearRuntime()
    for name in names {
      do {
        if let node = try PublishedNode.find(name, in: directories) { nodes.append(node) }
      } catch {
        problems.append(error)
      }
    }
    return (nodes, problems)
  }
}
