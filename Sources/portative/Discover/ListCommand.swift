import Components
import FoundationEssentials
import Glibc

/// The verb `list`: the ports that a host could use.
enum ListCommand {
  /// - Parameter arguments: Those after `list`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try ListOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.list) }
      let registry = ComponentRegistry()
      return options.watches
        ? try watch(registry, options) : show(registry.contents(options), options)
    } catch {
      Terminal.complain(error.message)
      return error.code
    }
  }

  private static func show(
    _ contents: ComponentRegistry.Contents, _ options: ListOptions
  ) -> ExitCode {
    for problem in contents.problems { Terminal.complain(problem.message) }
    return Command.say(options.isJSON ? json(contents.components) : table(contents.components))
  }

  /// Shows everything anew whenever something changes, until it is interrupted.
  private static func watch(
    _ registry: ComponentRegistry, _ options: ListOptions
  ) throws(Failure) -> ExitCode {
    let changes: ComponentChanges
    do throws(WatchError) {
      changes = try registry.changes()
    } catch {
      throw Failure(.failed, error.description)
    }
    var code = show(registry.contents(options), options)
    while code == .done, Interruption.signal == nil {
      if changes.wait(atMost: .milliseconds(500)) == nil { continue }
      code = Command.say(options.isJSON ? "" : "\n")
      if code == .done { code = show(registry.contents(options), options) }
    }
    if let signal = Interruption.signal { Interruption.end(by: signal) }
    return code
  }

  private static func table(_ components: [Component]) -> String {
    if components.isEmpty {
      return "no port is published: start a node, such as portative serve\n"
    }
    return Columns.text(
      [["PORT", "COMPONENT", "VERSION", "NODE", "STATE"]]
        + components.map { component in
          [
            component.port.name, component.port.component.description,
            component.port.version.description, component.node,
            component.pid.map { "running, process \($0)" } ?? "starts when it is used",
          ]
        })
  }

  /// One line for each port.
  private static func json(_ components: [Component]) -> String {
    components.map { RenderReport.encode(Line($0), []) + "\n" }.joined()
  }

  private struct Line: Encodable {
    var port: PortDescription
    var node: String
    var process: Int32?
    var manifest: String?
    /// Seconds since 1970.
    var lastUse: Double?

    init(_ component: Component) {
      port = component.port
      node = component.node
      process = component.pid
      manifest = component.manifest
      lastUse = component.lastUse
    }
  }
}

extension ComponentRegistry {
  fileprivate func contents(_ options: ListOptions) -> Contents {
    contents(matching: ComponentQuery(type: options.type), sortedBy: options.order)
  }
}

/// What `portative list` was asked for.
struct ListOptions {
  var type: PortType?
  var order = ComponentOrder.makerAndName
  var watches = false
  var isJSON = false
  var wantsHelp = false

  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("list takes options only, but got '\(operand)'; see portative list --help")
    }
  }

  static let table = OptionTable<ListOptions>(rows: [
    .init(
      names: ["-t", "--type"], value: "TYPE", help: "instrument, effect, musicEffect or generator"
    ) { options, text throws(Failure) in
      options.type = try OptionValue.choice(text, of: "--type")
    },
    .init(names: ["--recent"], value: nil, help: "the last used first") {
      options, _ throws(Failure) in options.order = .lastUse
    },
    .init(names: ["-w", "--watch"], value: nil, help: "show changes until interrupted") {
      options, _ throws(Failure) in options.watches = true
    },
    .init(names: ["--json"], value: nil, help: "a line of JSON for each port") {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
