import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

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

extension Help {
  static let remote = HelpText(
    usage: [
      "portative remote [--node NAME] COMMAND"
    ],
    description: """
      Controls the host that plays a port, as a foot switch or a panel beside the node
      would.

        play           play, or stop if it plays
        record         record, or stop recording
        rewind         return to the beginning
        start          play from the beginning, or from where the host starts
        stop           stop
        continue       play from where it stopped
        jump BEAT      go to a beat, in quarter notes from the beginning (0)
        loop on|off    turn the loop on or off
      """,
    options: RemoteOptions.table.entries,
    remarks: """
      Without --node, there must be exactly one host that accepts commands. A command
      that the host does not support is an error.
      """,
    examples: """
      portative remote play
      portative remote jump 16
      portative remote --node "General MIDI" loop on
      """)
}

/// The verb `remote`: sends a command to the host that plays a port, through the node.
enum RemoteControl {
  /// - Parameter arguments: The arguments after `remote`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try RemoteOptions(arguments: arguments)
    guard let command = options.command else { return try Command.write(Help.remote) }
    let host = AudioHost(name: "portative remote")
    let port = try PlayedPorts(host, options.node).port(for: command.kind)
    try host.command(command, hostOf: port.component)
    return try Command.write("done by \(port.receiver)\n")
  }
}
