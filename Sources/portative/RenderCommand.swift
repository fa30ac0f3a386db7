import Configuration
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
      let plan = try RenderPlan(options)
      if options.output == "-", Terminal.outputIsTerminal {
        throw .usage("audio cannot be shown on a terminal: send it to a file or a pipe")
      }
      return try render(plan, options)
    } catch {
      complain(error, isJSON: isJSON)
      return error.code
    }
  }

  private static func render(
    _ plan: RenderPlan, _ options: RenderOptions
  ) throws(Failure) -> ExitCode {
    do throws(SoundFontError) {
      _ = try SoundFontSearch().find(option: options.soundFont)
    } catch {
      throw Failure(error)
    }
    throw Failure(.failed, "the renderer is not part of this build")
  }

  /// On standard error for people, and on standard output for programs that asked for JSON.
  private static func complain(_ failure: Failure, isJSON: Bool) {
    Terminal.complain(failure.message)
    if isJSON {
      Terminal.write(RenderReport.line(.init(input: nil, failure)), to: STDOUT_FILENO)
    }
  }
}
