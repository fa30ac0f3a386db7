import Configuration
import Glibc
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
      var problem: String?
      Browser.open(link) { problem = $0 }
      if let problem { throw Failure(.failed, problem) }
    }
    return try Command.write("\(link)\n")
  }

  private static func link(
    of name: String?, in directories: NodeDirectories
  ) throws(Failure) -> String {
    let nodes = RunningNode.all(in: directories).filter { name == nil || $0.name == name }
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

/// The user's web browser.
enum Browser {
  /// Opens a link with a secret. The browser is given a file that only the user can read, because the arguments of a
  /// program are visible to all users.
  ///
  /// - Parameter report: Receives a sentence if that fails.
  static func open(
    _ link: String, in environment: ProcessEnvironment = .current, report: (String) -> Void
  ) {
    let path = "\(NodeDirectories(environment).runtime)/panel.html"
    let page = "<!doctype html><meta http-equiv=refresh content=\"0;url=\(link)\">\n"
    let advice = "open \(link) yourself"
    guard let program = try? ProgramSearch.find("xdg-open", path: environment.variable("PATH"))
    else {
      return report("xdg-open is not installed: \(advice), or sudo apt install xdg-utils")
    }
    let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    do {
      try WholeFile.write(Array(page.utf8), to: path, mode: 0o600)
      _ = try DetachedProgram(
        program, arguments: ["xdg-open", path], variables: environment.variables, log: null)
    } catch {
      report("the browser cannot be started: \(error); \(advice)")
    }
  }
}
