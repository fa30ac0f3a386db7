import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `remote`: sends a command to the host that plays a port, through the node.
enum RemoteControl {
  /// - Parameter arguments: The arguments after `remote`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try RemoteOptions(arguments: arguments)
    guard let command = options.command else { return try Command.write(Help.remote) }
    let host = AudioHost(name: "portative remote")
    let port = try PlayedPorts(host, options.node).port(for: command.kind)
    try host.command(command, hostOf: port.component)
    return try Command.write("done by \(port.receiver)\n")
  }
}
