import Configuration
import FoundationEssentials
import Glibc

/// The verb `render`.
enum RenderCommand {
  /// - Parameter arguments: Those after `render`.
  static func run(_ arguments: [String]) -> ExitCode {
    var isJSON = arguments.contains("--json")
    do throws(Failure) {
      let options = try RenderOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.render) }
      isJSON = options.isJSON
      if options.output == "-", Terminal.outputIsTerminal {
        throw .usage("audio cannot be shown on a terminal: send it to a file or a pipe")
      }
      return try RenderRun(options).run()
    } catch {
      // Here, where every half-written file has been removed.
      if let signal = error.signal { Interruption.end(by: signal) }
      Terminal.complain(error.message)
      if isJSON {
        Terminal.write(RenderReport.line(.init(input: nil, error)), to: STDOUT_FILENO)
      }
      return error.code
    }
  }
}
