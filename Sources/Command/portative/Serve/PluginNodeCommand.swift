import Glibc
import LocalSystem
import PluginNodes

/// Plays an LV2 plugin for the process that has started this one. It is not in the list of verbs, because only this program uses
/// it: standard input is the socket of the host.
enum PluginNodeCommand {
  static let name = PluginProcess.verb

  /// - Parameter arguments: `--lv2` and a plugin, as ``PluginSelection`` names it; then `--probe` to watch it.
  static func run(_ arguments: [String]) throws -> ExitCode {
    guard arguments.count >= 2, arguments[0] == PluginProcess.option,
      [[], [PluginProcess.probeOption]].contains(Array(arguments.dropFirst(2)))
    else {
      throw Failure.usage(
        "\(name) takes \(PluginProcess.option) URI; to publish a plugin, use portative serve --lv2 URI"
      )
    }
    var information = stat()
    guard fstat(STDIN_FILENO, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure.usage(
        "\(name) is for other commands of portative: to publish a plugin, use portative serve --lv2 URI"
      )
    }
    try PluginNode.run(
      PluginSelection(arguments[1]), isProbed: arguments.count > 2, socket: STDIN_FILENO)
    return .done
  }
}
