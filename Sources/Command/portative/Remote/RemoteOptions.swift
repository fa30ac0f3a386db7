import LocalSystem
import NodeProtocol
import Options

/// The options of `portative remote`.
struct RemoteOptions {
  /// The command; `nil` to show the help.
  var command: RemoteCommand?
  var node: String?
  private var wantsHelp = false

  /// Reads the arguments after `remote`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard let word = operands.first else {
      throw .usage("remote needs a command: \(Self.words); see portative remote --help")
    }
    let (command, count) = try Self.command(word, operands.count > 1 ? operands[1] : nil)
    if operands.count > count {
      throw .usage(
        "remote takes one command, but also got '\(operands[count])'; see portative remote --help")
    }
    self.command = command
  }

  private static let simple: [(word: String, command: RemoteCommand)] = [
    ("play", .togglePlay), ("record", .toggleRecord), ("rewind", .rewind), ("start", .start),
    ("stop", .stop), ("continue", .continue),
  ]

  /// The first words of the commands.
  static var names: [String] { simple.map(\.word) + ["jump", "loop"] }

  private static var words: String {
    simple.map(\.word).joined(separator: ", ") + ", jump BEAT, loop on or loop off"
  }

  /// - Returns: The command, and the number of words that it consists of.
  private static func command(
    _ word: String, _ value: String?
  ) throws(Failure) -> (RemoteCommand, words: Int) {
    if let (_, command) = simple.first(where: { $0.word == word }) { return (command, 1) }
    switch word {
    case "jump":
      guard let value else { throw .usage("jump needs a beat: portative remote jump BEAT") }
      return (.jump(beat: try OptionValue.number(value, of: "BEAT", in: -1e9...1e9)), 2)
    case "loop":
      guard let value else { throw .usage("loop needs on or off: portative remote loop on") }
      return (.loop(isOn: try OptionValue.onOff(value, of: "loop")), 2)
    default:
      let hint = closest(to: word, among: names)
      throw .usage(
        "unknown command '\(word)': "
          + (hint.map { "did you mean \($0)?" } ?? "the commands are \(words)"))
    }
  }

  static let table = OptionTable<RemoteOptions>(rows: [
    .init(
      names: ["-n", "--node"], value: "NAME", help: "the port, or the node, that the host plays"
    ) { $0.node = $1 }.completing(.ports),
    .help(\.wantsHelp),
  ])
}
