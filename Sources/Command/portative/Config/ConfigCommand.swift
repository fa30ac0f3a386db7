import Configuration
import Glibc
import LocalSystem
import NodeProtocol
import PortativeServer

/// The verb `config`: the settings in force, and where each comes from.
enum ConfigCommand {
  /// - Parameter arguments: The arguments after `config`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ConfigOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.config) }
    if !options.changes.isEmpty {
      let configuration =
        try options.configuration.map { Configuration(editing: $0) }
        ?? Configuration(.current)
      let path = try configuration.apply(options.changes, .current)
      Terminal.note("changed \(path)")
      if !ExpectedPresets.missingSoundFonts().isEmpty {
        Terminal.note(
          "the LV2 and CLAP plugins list the presets of another SoundFont: portative lv2 install")
      }
      return .done
    }
    let report = try ConfigReport(.current, options)
    for warning in report.warnings { Terminal.note("portative: warning: \(warning)") }
    try Command.write(options.isJSON ? JSONOutput.config.line(report) : report.text)
    return report.problem.map { problem in
      Terminal.complain(problem)
      return .soundFontUnusable
    } ?? .done
  }
}

/// The settings in force, as text for users and JSON for programs.
struct ConfigReport: Encodable {
  /// A configuration file, in the order of precedence.
  struct File: Encodable, Equatable {
    let path: String
    let exists: Bool
  }

  let files: [File]
  let settings: [ConfigSetting]
  /// Sentences about fields that have no effect.
  let warnings: [String]
  /// Why there is no usable SoundFont.
  let problem: String?

  /// - Throws: If a file or a value cannot be used.
  init(_ environment: ProcessEnvironment, _ options: ConfigOptions) throws {
    let configuration = try Configuration(environment, file: options.configuration)
    let paths = options.configuration.map { [$0] } ?? Configuration.files(environment)
    files = paths.map { File(path: $0, exists: configuration.files.contains($0)) }
    warnings = configuration.unknownFields.map(\.warning)
    var soundFont = ConfigSetting("soundfont", .none, .byDefault)
    do {
      let search = SoundFontSearch(environment, configuration: options.configuration)
      let found = try search.find(option: options.soundFont)
      soundFont = ConfigSetting("soundfont", .text(found.path), Self.origin(found, configuration))
      problem = nil
    } catch {
      problem = error.description
    }
    settings =
      [soundFont] + (try configuration.settings().map(ConfigSetting.init))
      + ConfigSetting.folders(environment)
  }

  private static func origin(
    _ found: FoundSoundFont, _ configuration: Configuration
  ) -> ConfigSetting.Origin {
    switch found.origin {
    case .option: .option("--soundfont")
    case .variable: .environment("PORTATIVE_SOUNDFONT")
    case .configuration: configuration.source(of: "soundfont").map { .file($0) } ?? .byDefault
    case .system, .user, .bundled: .search(found.origin.description)
    }
  }

  var text: OutputText {
    let rows = settings.map { [$0.name, $0.valueText, $0.origin.text] }
    let read: OutputText = files.map { "\($0.exists ? "read  " : "absent")  \($0.path)\n" }.joined()
    return "\(read)\n\(Columns.table(["SETTING", "VALUE", "FROM"], rows))"
  }

  private enum Key: CodingKey { case files, settings, warnings, problem }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(files, forKey: .files)
    try container.encode(settings, forKey: .settings)
    if !warnings.isEmpty { try container.encode(warnings, forKey: .warnings) }
    try container.encodeIfPresent(problem, forKey: .problem)
  }
}

extension Help {
  static let config = HelpText(
    usage: [
      "portative config [OPTIONS]", "portative config set [--config FILE] NAME=VALUE …",
      "portative config unset [--config FILE] NAME …",
    ],
    description: """
      Shows the settings that portative serve, play and render would use, and where
      each comes from: an option, an environment variable, FILE:LINE:COLUMN of a
      configuration file, a search, or the default. Also shows which configuration
      files were read, and the folders in use.

      set and unset change the user's file, or that of --config, and keep its
      comments. NAME is a path such as midi.connect; VALUE is a text or JSON5.
      """,
    options: ConfigOptions.table.entries,
    exitCodes: [
      ExitStatus(0, "success"), ExitStatus(2, "wrong usage"),
      ExitStatus(3, "a configuration file is unusable"),
      ExitStatus(5, "SoundFont missing or unusable; the settings are shown"),
    ],
    examples: """
      portative config
      portative config set soundfont=~/Grand.sf2 takes.minutes=30
      portative config unset soundfont
      portative config --config Organ.json
      PORTATIVE_SOUNDFONT=Grand.sf2 portative config --json
      """)
}

/// The options of `portative config`.
struct ConfigOptions {
  var configuration: String?
  var soundFont: String?
  /// What `set` or `unset` changes; empty: the settings are shown.
  var changes: [Configuration.Change] = []
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `config`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    switch operands.first {
    case nil: return
    case "set":
      changes = try operands.dropFirst().map { (text) throws(Failure) in try Self.change(text) }
    case "unset": changes = operands.dropFirst().map { .unset($0) }
    case let operand?:
      throw .usage(
        "config takes set, unset or options only, but got '\(operand)': name a file with --config FILE"
      )
    }
    if changes.isEmpty {
      throw .usage("config \(operands[0]) needs settings: portative config set soundfont=Grand.sf2")
    }
    if soundFont != nil || isJSON {
      throw .usage(
        "--soundfont and --json show settings, and cannot be used with config \(operands[0])")
    }
  }

  private static func change(_ text: String) throws(Failure) -> Configuration.Change {
    let setting = try Assignment(reading: text)
    guard setting.name == "soundfont" else { return .set(setting.name, to: setting.value) }
    // In the file, paths are relative to its folder.
    let value = setting.value
    let path =
      value.hasPrefix("~/")
      ? ProcessEnvironment.current.path(value, relativeTo: "/") : absolutePath(value)
    do throws(SoundFontError) {
      _ = try SoundFontSearch().find(option: path)
    } catch {
      throw error.failure
    }
    return .set(setting.name, to: Configuration.json(path))
  }

  static let table = OptionTable<ConfigOptions>(rows: [
    .path(
      "-c", "--config", value: "FILE", help: "the configuration file, as for portative serve",
      \.configuration
    ).completing(.files(["json", "json5"])),
    .path(
      "-s", "--soundfont", value: "FILE", help: "the SoundFont, as for portative serve",
      \.soundFont
    ).completing(.soundFonts),
    .flag("--json", help: "write one line of JSON", \.isJSON), .help(\.wantsHelp),
  ])
}
