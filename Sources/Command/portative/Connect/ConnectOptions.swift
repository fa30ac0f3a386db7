import Configuration
import LocalSystem

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
        "connect needs a port for '\(operands[0])' to play: portative connect KEYBOARD PORT"
      )
    case (true, 0): throw .usage("--remove needs a keyboard: portative connect --remove KEYBOARD")
    default:
      throw .usage(
        "connect takes a keyboard and a port, but also got '\(operands[2])': quote names that "
          + "contain spaces")
    }
  }

  static let table = OptionTable<ConnectOptions>(rows: [
    .flag(
      "-d", "--remove", help: "disconnect the keyboard from the port, or from all", \.removes),
    .flag(
      "--json", help: "write a line of JSON for each keyboard and port, as\nthey are then", \.isJSON
    ),
    .help(\.wantsHelp),
  ])
}
