import Glibc
import LocalSystem

/// A node that runs, and the ports that it publishes right now.
///
/// The content of `NAME.json` in ``NodeDirectories/runtime``. It speaks of a node that runs only
/// while `NAME.lock` is held, so it is read with ``find(_:in:)`` or ``RunningNode/all(in:)``.
public struct PublishedNode: Hashable, Codable, Sendable {
  public let name: String
  /// The process that claimed the name.
  public let pid: Int32
  /// May be none, while the node prepares them.
  public let ports: [PortDescription]

  public func publishes(_ component: ComponentDescription) -> Bool {
    ports.contains { $0.component == component }
  }

  /// The node of this name, if it runs.
  ///
  /// Removes what it left behind if it does not.
  ///
  /// - Throws: ``ComponentProblem`` when its list of ports cannot be read, or the folder is not
  ///   this user's alone.
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
    // While nobody can claim the name, or what a node has just written might be removed. If this
    // were left to the next one who claims it, the old list would be taken for the new one's for a
    // moment.
    let lock = directories.lockFile(of: name)
    let runs = FileLock.isHeld(lock) { age in
      unlink(file)
      unlink(socketPath)
      // A young one may belong to a node that has made it and not locked it yet.
      if age > RunningNode.youth { unlink(lock) }
    }
    return runs ? try read(name, in: directories) : nil
  }

  /// - Returns: `nil` where there is no list of ports.
  static func read(
    _ name: String, in directories: NodeDirectories
  ) throws(ComponentProblem) -> PublishedNode? {
    let file = directories.publishedFile(of: name)
    func problem(_ reason: String) -> ComponentProblem {
      ComponentProblem(
        path: file,
        message: "what a node wrote of itself in '\(file)' is of no use: \(reason); end that node")
    }
    let node: PublishedNode?
    do {
      node = try JSON5File.read(PublishedNode.self, at: file)
    } catch {
      throw problem(error.description)
    }
    guard let node else { return nil }
    if node.name != name { throw problem("'name' is '\(node.name)', unlike the file's") }
    if node.pid < 1 { throw problem("'pid' is \(node.pid), which no process has") }
    return node
  }
}

extension RunningNode {
  /// The nodes that run, in the order of their names.
  ///
  /// One that cannot be read is left out; ``ComponentRegistry`` says why.
  public static func all(in directories: NodeDirectories) -> [PublishedNode] {
    read(in: directories).nodes
  }

  static func read(
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
