import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `panic`: ends everything that sounds in real time.
enum PanicCommand {
  /// - Parameter arguments: The arguments after `panic`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try PanicOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.panic) }
    let host = AudioHost(name: "portative panic")
    if let name = options.port {
      let component = try NodeFinder(for: .port).find(name)
      // A node that does not run is silent.
      if component.isRunning {
        try host.panic(component.node, component: component.port.component)
      }
      return .done
    }
    var failure: (any Error)?
    for node in try RunningNodes.all() {
      do {
        try host.panic(node.name)
      } catch {
        // The other nodes are silenced nevertheless.
        if failure != nil { Terminal.complain("\(node.name): \(error)") }
        failure = failure ?? Failure(.failed, "\(node.name): \(error)")
      }
    }
    if let failure { throw failure }
    return .done
  }
}

/// The options of `portative panic`.
struct PanicOptions {
  /// The port's name, or part of it; `nil` for all ports of all nodes.
  var port: String?
  var wantsHelp = false

  /// Reads the arguments after `panic`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if operands.count > 1 {
      throw .usage("panic takes at most one port, but got \(operands.count): portative panic piano")
    }
    port = operands.first
  }

  static let table = OptionTable<PanicOptions>(rows: [.help(\.wantsHelp)])
}

extension Help {
  static let panic = HelpText(
    usage: [
      "portative panic [PORT]"
    ],
    description: """
      Ends everything that sounds in real time, on a port or on all: notes, held keys
      and pedals, reverb and echoes, and songs that portative play plays. The settings
      remain, and the next note sounds as usual. Files that are being rendered are not
      affected.
      """,
    options: PanicOptions.table.entries,
    examples: """
      portative panic
      portative panic "General MIDI"
      portative set --learn panic
      """)
}
