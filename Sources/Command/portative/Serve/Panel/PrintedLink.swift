import Configuration
import LocalSystem
import NodeProtocol
import WebPanel

/// `portative serve --panel-link`: prints the link of the web panel of a running server.
enum PrintedLink {
  /// - Parameters:
  ///   - name: The name of the node; `nil` for the only one that has a panel.
  ///   - opens: Whether the panel is also opened in the browser.
  static func write(of name: String?, opens: Bool) throws -> ExitCode {
    let link = try link(of: name, in: NodeDirectories())
    if opens {
      do throws(Browser.Problem) {
        try Browser.open(link)
      } catch {
        throw Failure(.failed, "\(error): open \(link) yourself")
      }
    }
    return try Command.write("\(link)\n")
  }

  private static func link(
    of name: String?, in directories: NodeDirectories
  ) throws(Failure) -> String {
    let nodes = try RunningNodes.all(in: directories).filter { name == nil || $0.name == name }
    let links = nodes.compactMap { node in
      PanelLink.find(of: node, directories).map { (node.name, $0) }
    }
    if links.count > 1 {
      let names = links.map(\.0).joined(separator: ", ")
      throw .usage("several servers have a panel: add --name NODE, one of \(names)")
    }
    if let link = links.first { return link.1 }
    let node = name.map { " named '\($0)'" } ?? ""
    throw Failure(
      .failed, "no server\(node) with a panel is running: start one with portative serve --panel")
  }
}
