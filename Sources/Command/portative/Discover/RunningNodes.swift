import Configuration
import LocalSystem
import NodeProtocol

/// The running nodes that a verb asks.
enum RunningNodes {
  /// Returns the nodes, sorted by name. Reports those whose files are unusable.
  ///
  /// - Throws: ``Failure`` if the runtime folder is unusable, because no node can be found then.
  static func all(in directories: NodeDirectories = NodeDirectories()) throws(Failure)
    -> [PublishedNode]
  {
    let (nodes, problems) = RunningNode.read(in: directories)
    for problem in problems {
      if problem.path == directories.runtime { throw Failure(.failed, problem.message) }
      Terminal.complain(problem.message)
    }
    return nodes
  }
}
