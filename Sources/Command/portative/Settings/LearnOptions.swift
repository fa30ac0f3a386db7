import Configuration
import LocalSystem
import RenderCore

/// The options of `portative set` for controls of keyboards.
struct LearnOptions: Equatable {
  enum Request: Equatable {
    /// - `parameter`: `nil` for panic of the port.
    case learn(port: String, parameter: String?)
    /// Panic of all ports of a node.
    case learnPanic
    case list(port: String?)
    case forget(Scope)
  }

  enum Scope: Equatable {
    case all
    case port(String)
    case parameter(String, port: String)
    /// - `port`: `nil` for panic of all ports.
    case panic(port: String?)
  }

  /// The values at both ends of the control, as they were written.
  var from, to: String?
  var isInverted = false
  var isNote = false
  /// How an encoder sends its steps; `nil`: the control sends positions.
  var relative: EncoderMode?
  /// The node of panic; `nil` for the only one.
  var node: String?
  /// The longest wait in seconds; `nil` for the default.
  var limit: Double?
  var wantsJSON = false
  private var (learned, forgotten): (String?, String?) = (nil, nil)
  private var lists = false
  private var (wantsPickup, refusesPickup) = (false, false)

  /// `nil` for the default.
  var picksUp: Bool? { wantsPickup ? true : refusesPickup ? false : nil }

  /// The longest wait for a control to move, in seconds.
  var seconds: Double { limit ?? 30 }

  /// What a command asks for.
  ///
  /// - Parameter operands: The words that are not options.
  /// - Returns: `nil` if it is not about controls.
  /// - Throws: ``Failure`` for options that have no effect.
  func request(_ operands: [String]) throws(Failure) -> Request? {
    let actions = [
      (Self.learn, learned != nil), (Self.forget, forgotten != nil), (Self.list, lists),
    ]
    .filter(\.1).map(\.0)
    if actions.count > 1 {
      throw .usage("\(actions[0]) and \(actions[1]) exclude each other: leave one of them out")
    }
    if wantsJSON, !lists { throw .usage("--json is only for \(Self.list): leave it out") }
    if learned == nil, let name = usedOption {
      throw .usage("\(name) is only for \(Self.learn): leave it out")
    }
    guard let action = actions.first else { return nil }
    if operands.count > 1 {
      throw .usage(
        "\(action) takes one port, but also got '\(operands[1])': quote names that contain spaces")
    }
    let port = operands.first
    if let learned { return try learning(learned, port) }
    return try forgotten.map { text throws(Failure) in .forget(try scope(text, port)) }
      ?? .list(port: port)
  }

  private func learning(_ text: String, _ port: String?) throws(Failure) -> Request {
    if relative != nil, isNote || wantsPickup || refusesPickup {
      throw .usage("--relative excludes --note, --pickup and --no-pickup: leave them out")
    }
    if wantsPickup, refusesPickup {
      throw .usage("--pickup and --no-pickup exclude each other: leave one of them out")
    }
    if text == "panic" {
      if let name = optionOfParameters {
        throw .usage("\(name) is only for a parameter that is learned: leave it out")
      }
      guard let port else { return .learnPanic }
      try refuseNode()
      return .learn(port: port, parameter: nil)
    }
    guard let port else {
      throw .usage("\(Self.learn) needs a port: portative set PORT \(Self.learn) \(text)")
    }
    try refuseNode()
    return .learn(port: port, parameter: text)
  }

  private func refuseNode() throws(Failure) {
    if node != nil {
      throw .usage("--node is only for panic of all ports: name the port NODE/PORT instead")
    }
  }

  private func scope(_ text: String, _ port: String?) throws(Failure) -> Scope {
    switch (text, port) {
    case ("all", nil): return .all
    case ("all", let port?): return .port(port)
    case ("panic", _): return .panic(port: port)
    case (_, let port?): return .parameter(text, port: port)
    case (_, nil):
      throw .usage(
        "\(Self.forget) needs a port, or panic or all: portative set PORT \(Self.forget) \(text)")
    }
  }

  // MARK: Options without effect

  private var optionOfParameters: String? {
    let options = [
      ("--from", from != nil), ("--to", to != nil), ("--invert", isInverted),
      ("--pickup", wantsPickup), ("--no-pickup", refusesPickup), ("--relative", relative != nil),
    ]
    return options.first(where: \.1)?.0
  }

  private var usedOption: String? {
    let others = [("--note", isNote), ("--timeout", limit != nil), ("--node", node != nil)]
    return optionOfParameters ?? others.first(where: \.1)?.0
  }

  // MARK: The table

  private static let (learn, forget, list) = ("--learn", "--forget", "--learned")

  static let table = OptionTable<LearnOptions>(rows: [
    Row(
      names: [learn], value: "PARAMETER",
      help: "assign the control of a keyboard that is moved next\nto a parameter, or to panic"
    ) { $0.learned = $1 },
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
      $0.limit = try OptionValue.number($1, of: "--timeout", in: 1...600)
    },
    Row(
      names: ["--node"], value: "NAME", help: "with --learn panic: the node, if several run"
    ) { $0.node = $1 },
    .flag(list, help: "show the controls of all ports, or of one", \.lists),
    .flag("--json", help: "with --learned: write one line of JSON", \.wantsJSON),
    Row(
      names: [forget], value: "PARAMETER",
      help: "forget the learned control of a parameter, of panic,\nor all"
    ) { $0.forgotten = $1 },
  ])

  private typealias Row = OptionTable<LearnOptions>.Row
}
