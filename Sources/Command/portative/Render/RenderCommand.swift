import BatchRenderer
import LocalSystem

/// The verb `render`.
enum RenderCommand {
  /// - Parameter arguments: The arguments after `render`.
  static func run(_ arguments: [String]) throws(Failure) -> ExitCode {
    let options = try RenderOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.render) }
    if options.output == "-", Terminal.outputIsTerminal {
      throw .usage("audio cannot be shown on a terminal: send it to a file or a pipe")
    }
    return try RenderRun(options).run()
  }
}
