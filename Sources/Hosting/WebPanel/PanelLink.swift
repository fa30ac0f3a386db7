import Glibc
import LocalSystem
package import NodeProtocol

/// The link of a running panel, in the runtime folder, which only the user can read.
package struct PanelLink: Codable, Equatable, Sendable {
  /// The process of the server.
  var processID: Int32
  package var link: String

  private static func path(of node: String, _ directories: NodeDirectories) -> String {
    "\(directories.runtime)/\(node).panel"
  }

  func write(of node: String, _ directories: NodeDirectories) throws(WholeFile.Failure) {
    // The sticky bit keeps automatic cleanup away.
    try JSON5File.write(self, to: Self.path(of: node, directories), mode: 0o1600)
  }

  static func remove(of node: String, _ directories: NodeDirectories) {
    unlink(Self.path(of: node, directories).platformString)
  }

  /// Returns the link of a node's panel; `nil` if it has none.
  package static func find(of node: PublishedNode, _ directories: NodeDirectories) -> String? {
    let path = path(of: node.name, directories)
    guard let link = try? JSON5File.read(PanelLink.self, at: path, followsLinks: false),
      link.processID == node.processID
    else { return nil }
    return link.link
  }
}
