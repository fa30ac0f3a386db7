import Configuration
import LocalSystem

/// The options of `portative lv2`.
struct LV2Options: Equatable {
  enum Action: String, CaseIterable {
    case list, install, remove
  }

  /// The action; `nil` to show the help.
  var action: Action?
  /// The names of nodes; empty for all.
  var nodes: [String] = []
  /// The folder of the bundles, instead of `~/.lv2`.
  var folder: String?
  /// The path of the shared object.
  var library: String?
  /// Whether presets of SoundFonts are left out.
  var omitsSoundFonts = false
  var isJSON = false
  private var wantsHelp = false

  /// Reads the arguments after `lv2`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard let word = operands.first else {
      throw .usage("lv2 needs a command: \(Self.words); see portative lv2 --help")
    }
    guard let action = Action(rawValue: word) else {
      let hint = closest(to: word, among: Action.allCases.map(\.rawValue))
      throw .usage(
        "unknown command '\(word)': "
          + (hint.map { "did you mean \($0)?" } ?? "the commands are \(Self.words)"))
    }
    self.action = action
    nodes = Array(operands.dropFirst())
    if action == .list, let node = nodes.first {
      throw .usage("lv2 list takes options only, but got '\(node)'; see portative lv2 --help")
    }
    let installing = [("--library", library != nil), ("--no-soundfont", omitsSoundFonts)]
    for (option, isGiven) in installing where isGiven && action != .install {
      throw .usage("\(option) is only for lv2 install: remove it")
    }
  }

  private static var words: String { alternatives(Action.allCases.map(\.rawValue)) }

  static let table = OptionTable<LV2Options>(rows: [
    .path("--folder", value: "DIR", help: "the folder of the bundles (~/.lv2)", \.folder),
    .path(
      "--library", value: "FILE",
      help:
        "install: the plugins' shared object, instead of the one\nthat is installed with portative",
      \.library),
    .flag(
      "--no-soundfont",
      help:
        "install: leave out the presets of SoundFonts, for a\npackage, whose users may play others",
      \.omitsSoundFonts),
    .flag("--json", help: "write a line of JSON for each plugin, as they are then", \.isJSON),
    .help(\.wantsHelp),
  ])
}
