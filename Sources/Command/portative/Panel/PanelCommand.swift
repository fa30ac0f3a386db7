import Configuration
import Glibc
import LocalSystem
import NodeProtocol
import WebPanel

/// The verb `panel`: prints the link of a server's web panel.
enum PanelCommand {
  /// - Parameter arguments: The arguments after `panel`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try PanelOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.panel) }
    let link = try link(of: options.node, in: NodeDirectories())
    if options.opens {
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
      throw .usage("several servers have a panel: portative panel NODE, one of \(names)")
    }
    if let link = links.first { return link.1 }
    let node = name.map { " named '\($0)'" } ?? ""
    throw Failure(
      .failed, "no server\(node) with a panel is running: start one with portative serve --panel")
  }
}

/// The options of `portative panel`.
struct PanelOptions {
  /// The name of the node; `nil` for the only one.
  var node: String?
  var opens = false
  var wantsHelp = false

  /// Reads the arguments after `panel`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if operands.count > 1 {
      throw .usage("panel takes at most one node, but got \(operands.count): portative panel NODE")
    }
    node = operands.first
  }

  static let table = OptionTable<PanelOptions>(rows: [
    .flag("--open", help: "also open it in the browser", \.opens), .help(\.wantsHelp),
  ])
}

extension Help {
  static let panel = HelpText(
    usage: [
      "portative panel [--open] [NODE]"
    ],
    description: """
      Prints the link of the web panel of a server that runs with --panel. Who has the
      link can play and change everything that the panel shows: do not share it.
      """,
    options: PanelOptions.table.entries,
    examples: """
      portative serve --panel
      portative panel --open
      """)
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
