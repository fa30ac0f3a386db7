import BatchRenderer
import Configuration
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

/// `portative set --learn`: assigns knobs, keys and buttons of keyboards.
enum ControlLearning {
  /// Performs a request.
  ///
  /// - Parameter options: The options that the request was made of.
  static func run(_ request: LearnOptions.Request, _ options: LearnOptions) throws -> ExitCode {
    switch request {
    case .learn(let port, let parameter):
      let component = try Component.running(named: port)
      let request = try self.request(for: component, parameter, options)
      return try learn(request, ofNode: component.node)
    case .learnPanic:
      let node = try options.node ?? RunningNode.only()
      let request = LearnControl(of: nil, isNote: options.isNote, seconds: options.seconds)
      return try learn(request, ofNode: node)
    case .list(let port):
      let controls = try LearnedControls(host)
      return try Command.write(
        options.wantsJSON ? controls.json(of: port) : controls.list(of: port))
    case .forget(let scope): return try LearnedControls(host).clear(scope)
    }
  }

  private static var host: AudioHost { AudioHost(name: "portative set") }

  private static func request(
    for component: Component, _ name: String?, _ options: LearnOptions
  ) throws -> LearnControl {
    var request = LearnControl(
      of: component.port.component, parameter: name, picksUp: options.picksUp,
      relative: options.relative, isNote: options.isNote, seconds: options.seconds)
    guard let name else { return request }
    let parameter = try SettingsChange.parameter(name, of: host.control(of: component))
    let text = ParameterText(parameter: parameter)
    request.from = try options.from.map { try text.value($0) }
    request.to = try options.to.map { try text.value($0) }
    if options.isInverted {
      let from = request.from ?? parameter.minimum
      request.from = request.to ?? parameter.maximum
      request.to = from
    }
    for value in [request.from, request.to].compactMap(\.self) { try check(value, of: parameter) }
    return request
  }

  private static func check(_ value: Float, of parameter: Parameter) throws(Failure) {
    do throws(ParameterError) {
      try parameter.check(value)
    } catch {
      throw .usage("\(error)")
    }
  }

  private static func learn(_ request: LearnControl, ofNode node: String) throws -> ExitCode {
    let thing =
      request.isNote
      ? "press a key"
      : request.relative != nil
        ? "turn an encoder"
        : request.parameter == nil ? "move a control or press a key" : "move a control"
    Terminal.note("\(thing) of a keyboard that plays the port; Ctrl-C ends this")
    // The wait cannot be interrupted; when the process ends, the node ends it too.
    try SystemThread(name: "portative-signal") {
      while true {
        if let signal = Interruption.signal { Interruption.end(by: signal) }
        usleep(20_000)
      }
    }.detach()
    let response = try host.learn(request, ofNode: node)
    guard let control = response.control else {
      throw Failure(
        .failed,
        "no control was moved within \(OptionValue.brief(request.seconds)) s: 'portative connect' "
          + "shows which keyboards play the port")
    }
    if let warning = response.warning { Terminal.note(warning) }
    return try Command.write("\(control.sentence)\n")
  }
}
