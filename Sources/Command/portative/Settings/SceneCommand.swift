import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `scene`: shows or changes what keyboards play.
enum SceneCommand {
  /// - Parameter arguments: The arguments after `scene`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try SceneOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.scene) }
    let host = AudioHost(name: "portative scene")
    if let name = options.saved {
      let file = try refused {
        try host.saveScene(
          name, of: options.node ?? RunningNode.only(), replaces: options.replaces)
      }
      return try Command.write("saved in \(file)\n")
    }
    if let semitones = options.transposition {
      let shift = try refused {
        "\(try host.transpose(semitones, of: options.node ?? RunningNode.only()))"
      }
      return try Command.write("\(shift)\n")
    }
    let (node, list) = try find(options.node, host)
    guard let scene = options.scene else {
      return try Command.write(options.wantsJSON ? JSONOutput.scene.line(list) : text(list))
    }
    let name = try choose(scene, of: node, host)
    return try Command.write(
      options.wantsJSON ? JSONOutput.scene.line(host.scenes(of: node)) : "\(name)\n")
  }

  /// Returns the name of the scene.
  private static func choose(
    _ scene: String, of node: String, _ host: AudioHost
  ) throws -> String {
    try refused {
      switch scene {
      case "next": try host.chooseNextScene(of: node)
      case "previous": try host.chooseNextScene(of: node, backwards: true)
      default: try host.chooseScene(scene, of: node)
      }
    }
  }

  /// Performs a request. A refusal becomes an error in usage.
  private static func refused(_ request: () throws -> String) throws -> String {
    do {
      return try request()
    } catch let error as ConnectionError {
      if case .refused(let refusal) = error, refusal.code == .badSequence {
        throw Failure(.usage, refusal.message)
      }
      throw error
    }
  }

  /// Returns the node whose scenes are meant.
  private static func find(
    _ name: String?, _ host: AudioHost
  ) throws -> (node: String, scenes: NodeSceneList) {
    let names = try RunningNodes.all().map(\.name)
    if let name {
      guard names.contains(name) else {
        throw Failure(
          .failed, "the node '\(name)' is not running: portative list --status shows the others")
      }
      do throws(ConnectionError) {
        return (name, try host.scenes(of: name))
      } catch .refused(let error) where error.code == .unknownMethod {
        throw Failure(.failed, "the node '\(name)' has no scenes, as portative serve has")
      } catch {
        throw error
      }
    }
    let nodes = names.compactMap { name -> (node: String, scenes: NodeSceneList)? in
      // Nodes of other programs and versions need not know scenes.
      guard let list = try? host.scenes(of: name), !list.setList.isEmpty || !list.others.isEmpty
      else { return nil }
      return (name, list)
    }
    if nodes.count > 1 {
      let list = nodes.map(\.node).sorted().joined(separator: ", ")
      throw Failure.usage("several nodes have scenes: \(list): choose one by --node NAME")
    }
    guard let node = nodes.first else {
      throw Failure(
        .failed,
        names.isEmpty
          ? "no node is running: start one with portative serve"
          : "no running node has scenes: add 'scenes' to the configuration")
    }
    return node
  }

  private static func text(_ list: NodeSceneList) -> OutputText {
    let setList = list.setList.enumerated().map { index, name in
      ["\(index + 1)", name, name == list.current ? "current" : ""]
    }
    let others = list.others.map { ["", $0, $0 == list.current ? "current" : ""] }
    var text = Columns.table(["NUMBER", "SCENE", ""], setList + others)
    if let shift = list.transposition {
      text.append("transposed by \(shift > 0 ? "+" : "")\(shift) semitones\n")
    }
    for line in (list.text ?? "").split(separator: "\n") { text.append("\(line)\n") }
    return text
  }
}

/// The options of `portative scene`.
struct SceneOptions {
  /// A name, `next` or `previous`; `nil`: show the scenes.
  var scene: String?
  /// The name under which to save what keyboards play now; `nil`: save nothing.
  var saved: String?
  var replaces = false
  var node: String?
  /// The semitones by which all ports are transposed, besides the scene; `nil`: they remain.
  var transposition: Int?
  var wantsJSON = false
  var wantsHelp = false

  /// Reads the arguments after `scene`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if transposition != nil, !operands.isEmpty || wantsJSON {
      throw .usage("--transpose excludes --json and the name of a scene: leave them out")
    }
    if operands.count == 2, operands[0] == "save" {
      saved = operands[1]
      try SceneSettings.check(name: operands[1])
      if wantsJSON { throw .usage("--json shows the scenes: leave it out to save one") }
      return
    }
    if replaces { throw .usage("--replace is for 'portative scene save NAME'") }
    if operands == ["save"] { throw .usage("scene save needs a name") }
    if operands.count > 1 {
      throw .usage(
        "scene takes one name, but got \(operands.count): put a name with spaces in quotes")
    }
    scene = operands.first
    if let scene { try SceneSettings.check(name: scene) }
  }

  static let table = OptionTable<SceneOptions>(rows: [
    .init(names: ["--node"], value: "NODE", help: "the node, if several have scenes") {
      $0.node = $1
    },
    .init(
      names: ["--transpose"], value: "N",
      help:
        "transpose what keyboards play on all ports by N\nsemitones, -36 to 36, drums excepted; 0 for none"
    ) { $0.transposition = try OptionValue.whole($1, of: "--transpose", in: -36...36) },
    .flag("--replace", help: "with save: replace a scene of this name", \.replaces),
    .flag("--json", help: "write one line of JSON", \.wantsJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let scene = HelpText(
    usage: [
      "portative scene [--json] [--node NODE]",
      "portative scene [--json] [--node NODE] NAME|next|previous",
      "portative scene [--node NODE] [--replace] save NAME",
      "portative scene [--node NODE] --transpose N",
    ],
    description: """
      Shows the scenes of the configuration, or changes what keyboards play on the
      ports. Notes that are held keep their sound until their keys and pedals are
      released; the next note has the new sound. The sounds of the scenes around the
      current one are made ahead, so that a change takes no time. Hosts that play a
      port are not affected.

      NAME may be a part of the name that no other scene has. next and previous
      follow the set list of the configuration, otherwise the order of the scenes.

      save adds what keyboards play now to the configuration file as a scene: the
      zones, and what 'portative set' has changed. Comments in the file remain. The
      name has 1 to 64 characters that are shown.
      """,
    options: SceneOptions.table.entries,
    examples: """
      portative scene next
      portative scene Verse
      portative scene save "Second verse"
      """)
}
