import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol

/// The verb `remote`: sends a command to the host that plays a port, through the node.
enum RemoteControl {
  /// - Parameter arguments: The arguments after `remote`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try RemoteOptions(arguments: arguments)
      guard let command = options.command else { return Command.say(Help.remote) }
      return Command.say("done by \(try send(command, options.node))\n")
    } catch {
      Terminal.complain(error.message)
      return error.exitCode
    }
  }

  /// - Returns: The host that executed the command.
  private static func send(_ command: RemoteCommand, _ node: String?) throws(Failure) -> Peer {
    let host = AudioHost(name: "portative remote")
    let port = try PlayedPorts(host, node).port(for: command.kind)
    do throws(ConnectionError) {
      try host.command(command, hostOf: port.component)
      return port.host
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}
