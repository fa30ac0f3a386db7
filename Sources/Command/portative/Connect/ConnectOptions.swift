import LocalSystem
import Options

/// The options of `portative connect`.
struct ConnectOptions: Equatable {
  enum Request: Equatable {
    case list
    case connect(keyboard: String, port: String)
    /// Disconnects the keyboard from a port, or from all ports if `port` is `nil`.
    case disconnect(keyboard: String, port: String?)
  }

  var request = Request.list
  var isJSON = false
  var wantsHelp = false
  private var removes = false

  /// Reads the arguments after `connect`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    switch (removes, operands.count) {
    case (false, 0): request = .list
    case (false, 2): request = .connect(keyboard: operands[0], port: operands[1])
    case (true, 1), (true, 2):
      request = .disconnect(keyboard: operands[0], port: operands.count == 2 ? operands[1] : nil)
    case (false, 1):
      throw .usage(
        "connect needs a port as well, for '\(operands[0])' to play: portative connect KEYBOARD PORT"
      )
    case (true, 0): throw .usage("--remove needs a keyboard: portative connect --remove KEYBOARD")
    default:
      throw .usage(
        "connect takes a keyboard and a port, but got '\(operands[2])' too: put names that have "
          + "spaces into quotes")
    }
    if isJSON, request != .list { throw .usage("--json is for the list: leave it out") }
  }

  static let table = OptionTable<ConnectOptions>(rows: [
    .init(
      names: ["-d", "--remove"], value: nil,
      help: "disconnect the keyboard, from the port or from all"
    ) { options, _ throws(Failure) in options.removes = true },
    .init(
      names: ["--json"], value: nil,
      help: "a line of JSON for each keyboard, and for each port"
    ) { options, _ throws(Failure) in options.isJSON = true },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
