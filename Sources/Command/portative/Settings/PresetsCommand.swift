import Configuration
import FluidSynthEngine
import Glibc
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import PortativeServer
import RenderCore

/// The verb `presets`: lists the presets of a port or of a SoundFont.
enum PresetsCommand {
  /// - Parameter arguments: The arguments after `presets`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try PresetsOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.presets) }
    let (presets, words) = try find(options.words)
    let found = PresetSearch(presets: presets).indices(matching: Array(words)).map { presets[$0] }
    if options.isJSON { return try Command.write(JSONOutput.presets.line(["presets": found])) }
    if found.isEmpty {
      Terminal.note(presets.isEmpty ? "there are no presets" : "no preset matches")
      return .done
    }
    return try Command.write(PresetTable.text(found))
  }

  /// Returns the presets of the port or file that the first word names, otherwise those of the SoundFont that would be
  /// played, and the remaining words.
  private static func find(_ words: [String]) throws -> ([Preset], ArraySlice<String>) {
    let rest = words.dropFirst()
    if let first = words.first {
      if SoundFontFile.isNamed(first)
        || first.contains("/") && access(first.platformString, F_OK) == 0
      {
        return (try presets(of: first), rest)
      }
      let ports = NodeFinder(
        ComponentRegistry().components(matching: ComponentQuery(), sortedBy: .lastUse), for: .port)
      if !ports.named(first).isEmpty {
        let connector = NodeConnector(host: AudioHost(name: "portative presets")) {
          Terminal.note($0.description)
        }
        return (try connector.control(of: ports.find(first)).presets(), rest)
      }
    }
    return (try presets(of: SoundFontSearch().find().path), words[...])
  }

  private static func presets(of path: String) throws -> [Preset] {
    try SoundFont.open(path).presets().map { Preset($0) }
  }
}

/// Presets in columns.
enum PresetTable {
  static func text(_ presets: [Preset]) -> OutputText {
    if presets.allSatisfy({ $0.number != nil }) {
      let rows = presets.map { preset in
        [preset.number?.description ?? "", preset.name]
      }
      return Columns.text([["PRESET", "NAME"]] + rows)
    }
    return Columns.text([["NAME", "SETS"]] + settings(presets))
  }

  /// Returns a row for each preset: its name, and the parameters that it sets.
  static func settings(_ presets: [Preset]) -> [[String]] {
    presets.map { preset in
      let settings = preset.values.sorted { $0.key < $1.key }
      return [
        preset.name, settings.map { "\($0.key) \($0.value.shortestText)" }.joined(separator: ", "),
      ]
    }
  }
}

/// The options of `portative presets`.
struct PresetsOptions {
  /// The port or the SoundFont, and the words to search for.
  var words: [String] = []
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `presets`.
  init(arguments: [String]) throws(Failure) {
    words = try Self.table.parse(arguments, into: &self)
  }

  static let table = OptionTable<PresetsOptions>(rows: [
    .flag("--json", help: "write one line of JSON", \.isJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let presets = HelpText(
    usage: [
      "portative presets [--json] [PORT|SOUNDFONT] [WORD …]"
    ],
    description: """
      Lists the presets of a port or of a SoundFont file, whose names contain all
      words. A word such as 0:40 is a bank and a program. Without a port or file, the
      presets are those of the SoundFont that portative render plays.
      """,
    options: PresetsOptions.table.entries,
    examples: """
      portative presets piano
      portative presets ~/Grand.sf2
      portative presets "General MIDI" string ensemble
      """)
}
