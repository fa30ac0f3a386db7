import FoundationEssentials
import NodeProtocol

/// The components that a host can connect to, as text for users and JSON for programs.
struct ComponentList {
  let components: [Component]
  /// Sentences about unusable files.
  let problems: [String]
  private let order: ComponentOrder

  init(_ components: [Component], problems: [String], _ options: ListOptions) {
    self.components = components
    self.problems = problems
    order = options.order
  }

  init(_ registry: ComponentRegistry, _ options: ListOptions) {
    let contents = registry.contents(
      matching: ComponentQuery(type: options.type), sortedBy: options.order)
    self.init(contents.components, problems: contents.problems.map(\.message), options)
  }

  var text: OutputText {
    components.isEmpty
      ? OutputText(verbatim: Self.none + "\n") : Columns.table(head, rows.map(\.cells))
  }

  static let none =
    "There is no port: start a node, such as portative serve, or let hosts start it:\n"
    + "portative serve --install"

  var head: [String] {
    ["PORT", "COMPONENT", "VERSION", "NODE", "STATE"] + (order == .lastUse ? ["LAST USED"] : [])
  }

  /// A row of the table.
  struct Row: Equatable {
    /// Identifies the row together with ``node``; the other cells may change.
    let component: ComponentDescription
    let node: String
    let cells: [String]

    /// The row to show after the port has been removed.
    var gone: Row {
      var cells = cells
      cells[4] = "gone"
      return Row(component: component, node: node, cells: cells)
    }

    func isSamePort(as other: Row) -> Bool { component == other.component && node == other.node }
  }

  var rows: [Row] { components.map(row) }

  private func row(_ component: Component) -> Row {
    let port = component.port
    let state = component.processID.map { "running (\($0))" } ?? "starts when used"
    var cells = [
      port.name, port.component.description, port.version.description, component.node, state,
    ]
    if order == .lastUse { cells.append(component.lastUse.map(Self.age) ?? "never") }
    return Row(component: port.component, node: component.node, cells: cells)
  }

  /// Returns an approximate age.
  ///
  /// - Parameter time: Seconds since 1970.
  private static func age(_ time: Double) -> String {
    let minutes = Int(max(0, Date.now.timeIntervalSince1970 - time) / 60)
    switch minutes {
    case 0: return "just now"
    case ..<60: return "\(minutes) min ago"
    case ..<2880: return "\(minutes / 60) h ago"
    default: return "\(minutes / 1440) days ago"
    }
  }

  /// A line for each port: its name without the maker if no other port has that, otherwise its name.
  var names: OutputText {
    let names = components.map(\.port.name)
    let short = names.map { name in
      name.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) } ?? name
    }
    return zip(names, short).map { name, part -> OutputText in
      let isUnique = short.count { $0.lowercased() == part.lowercased() } == 1
      return "\(isUnique ? part : name)\n"
    }.joined()
  }

  /// One line of JSON for each port.
  var jsonLines: OutputText {
    components.map { JSONOutput.list.line(Entry($0)) }.joined()
  }

  /// One line of JSON for all ports.
  var jsonLine: OutputText {
    JSONOutput.listWatch.line(All(ports: components.map(Entry.init), problems: problems))
  }

  private struct All: Encodable {
    var ports: [Entry]
    var problems: [String]
  }

  private struct Entry: Encodable {
    var port: PortDescription
    var node: Node
    /// Absent if there is no manifest, so that hosts cannot start the node.
    var manifest: String?
    /// Seconds since 1970.
    var lastUse: Double?

    struct Node: Encodable {
      var name: String
      /// Absent if the node is not running.
      var processID: Int32?
    }

    init(_ component: Component) {
      port = component.port
      node = Node(name: component.node, processID: component.processID)
      manifest = component.manifest
      lastUse = component.lastUse
    }
  }
}
