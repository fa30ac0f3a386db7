import Configuration
import LocalSystem
import RenderCore

/// The options of `portative learn`.
struct LearnOptions: Equatable {
  enum Request: Equatable {
    /// - `parameter`: `nil` for panic of the port.
    case learn(port: String, parameter: String?)
    /// Panic of all ports of a node.
    case learnPanic
    case list(port: String?)
    case clear(Scope)
  }

  enum Scope: Equatable {
    case all
    case port(String)
    case parameter(String, port: String)
    /// - `port`: `nil` for panic of all ports.
    case panic(port: String?)
  }

  var request = Request.list(port: nil)
  /// The values at both ends of the control, as they were written.
  var from, to: String?
  var isInverted = false
  var isNote = false
  /// How an encoder sends its steps; `nil`: the control sends positions.
  var relative: EncoderMode?
  var wantsHelp = false
  /// The node of `learn panic`; `nil` for the only one.
  var node: String?
  var seconds = 30.0
  var wantsJSON = false
  private var (lists, clears, includesAll) = (false, false, false)
  private var (wantsPickup, refusesPickup) = (false, false)

  /// `nil` for the default.
  var picksUp: Bool? { wantsPickup ? true : refusesPickup ? false : nil }

  /// Reads the arguments after `learn`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if lists, clears {
      throw .usage("--list and --clear exclude each other: leave one of them out")
    }
    if wantsJSON, !lists { throw .usage("--json is only for --list: leave it out") }
    if includesAll, !clears { throw .usage("--all is only for --clear: leave it out") }
    if operands.count > (lists ? 1 : 2) {
      throw .usage(
        "learn takes a port\(lists ? "" : " and a parameter"), but also got "
          + "'\(operands[lists ? 1 : 2])': quote names that contain spaces")
    }
    if lists {
      request = .list(port: operands.first)
    } else if clears {
      request = .clear(try scope(operands))
    } else {
      request = try learning(operands)
    }
    try checkUse()
  }

  private func scope(_ operands: [String]) throws(Failure) -> Scope {
    switch (includesAll, operands.first, operands.dropFirst().first) {
    case (true, nil, _): return .all
    case (true, let port?, _):
      throw .usage("--all clears the controls of all ports, but '\(port)' was named: leave one out")
    case (false, nil, _): throw .usage("--clear needs a port, panic or --all")
    case (false, "panic"?, nil): return .panic(port: nil)
    case (false, let port?, nil): return .port(port)
    case (false, let port?, "panic"?): return .panic(port: port)
    case (false, let port?, let parameter?): return .parameter(parameter, port: port)
    }
  }

  private func learning(_ operands: [String]) throws(Failure) -> Request {
    switch (operands.first, operands.dropFirst().first) {
    case ("panic"?, nil): return .learnPanic
    case (let port?, "panic"?): return .learn(port: port, parameter: nil)
    case (let port?, let parameter?): return .learn(port: port, parameter: parameter)
    case (let port?, nil):
      throw .usage(
        "learn needs a parameter of '\(port)': portative learn PORT PARAMETER; portative get "
          + "lists them")
    case (nil, _):
      throw .usage("learn needs a port and a parameter: portative learn piano reverb.room")
    }
  }

  /// Checks that no option is given that has no effect.
  private func checkUse() throws(Failure) {
    if wantsPickup, refusesPickup {
      throw .usage("--pickup and --no-pickup exclude each other: leave one of them out")
    }
    if relative != nil, isNote || wantsPickup || refusesPickup {
      throw .usage("--relative excludes --note, --pickup and --no-pickup: leave them out")
    }
    var isOfParameter = false
    if case .learn(_, .some) = request { isOfParameter = true }
    let unused: [(String, Bool)] = [
      ("--from", from != nil), ("--to", to != nil), ("--invert", isInverted),
      ("--pickup", wantsPickup), ("--no-pickup", refusesPickup), ("--relative", relative != nil),
    ]
    if !isOfParameter, let (name, _) = unused.first(where: \.1) {
      throw .usage("\(name) is only for a parameter that is learned: leave it out")
    }
    if node != nil, request != .learnPanic {
      throw .usage("--node is only for learn panic: leave it out, or name the port NODE/PORT")
    }
  }

  static let table = OptionTable<LearnOptions>(rows: [
    Row(names: ["--from"], value: "VALUE", help: "value at the lower end; default: the minimum") {
      $0.from = $1
    },
    Row(names: ["--to"], value: "VALUE", help: "value at the upper end; default: the maximum") {
      $0.to = $1
    },
    .flag("--invert", help: "exchange the values of the ends", \.isInverted),
    .flag(
      "--pickup",
      help: "follow only after the control has passed the present\nvalue; default for controllers",
      \.wantsPickup),
    .flag("--no-pickup", help: "follow at once; the value may jump", \.refusesPickup),
    Row(
      names: ["--relative"], value: "MODE",
      help:
        "learn an endless encoder, which sends steps:\n"
        + "twosComplement (1 up, 127 down), offset (65, 63) or\nsignMagnitude (1, 65)"
    ) { options, word in
      guard let mode = EncoderMode(rawValue: word) else {
        let words = alternatives(EncoderMode.allCases.map(\.rawValue))
        throw Failure.usage("--relative must be \(words), but was '\(word)'")
      }
      options.relative = mode
    }.completing(.words(EncoderMode.allCases.map(\.rawValue))),
    .flag("--note", help: "learn a key, which steps through the values", \.isNote),
    Row(names: ["--timeout"], value: "SECONDS", help: "longest wait, 1 to 600; default: 30") {
      $0.seconds = try OptionValue.number($1, of: "--timeout", in: 1...600)
    },
    Row(names: ["--node"], value: "NAME", help: "for learn panic: the node, if several run") {
      $0.node = $1
    },
    .flag("--list", help: "show the controls of all ports, or of one", \.lists),
    .flag("--json", help: "with --list: write one line of JSON", \.wantsJSON),
    .flag("--clear", help: "forget learned controls", \.clears),
    .flag("--all", help: "with --clear: those of all ports", \.includesAll),
    .help(\.wantsHelp),
  ])

  private typealias Row = OptionTable<LearnOptions>.Row
}
