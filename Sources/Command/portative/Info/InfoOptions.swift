import BatchRenderer
import Configuration
import FluidSynthEngine
import Glibc
import LocalSystem

/// The options of `portative info`.
struct InfoOptions {
  /// What to show.
  enum Subject: Equatable {
    case files([String])
    /// A port and the settings to show; all if there are none.
    case port(String, settings: [String])
    /// The presets of a port or SoundFont.
    case presets
  }

  /// The words that are not options.
  var operands: [String] = []
  var soundFont: String?
  var style: BankStyle?
  /// The port of `--presets`.
  var port: String?
  var isJSON = false
  /// Whether the settings of a port are written as `portative set` takes them.
  var listsSettings = false
  var wantsHelp = false
  private var listsPresets = false

  /// Reads the arguments after `info`.
  init(arguments: [String]) throws(Failure) {
    operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if operands.isEmpty, !listsPresets {
      throw .usage(
        "no file or port was given: portative info SONG.mid, or portative list for ports")
    }
    if port != nil, !listsPresets {
      throw .usage("--port is only for --presets: portative info PORT shows a port")
    }
    if port != nil, soundFont != nil {
      throw .usage("--port and --soundfont exclude each other: keep one")
    }
    if listsPresets, style != nil || listsSettings {
      throw .usage("--presets excludes --bank-style and --settings: leave them out")
    }
    guard case .port(_, let settings) = subject else {
      if listsSettings {
        throw .usage("--settings is only for a port: portative info --settings PORT")
      }
      return
    }
    if soundFont != nil || style != nil {
      throw .usage("--soundfont and --bank-style are only for songs: leave them out")
    }
    if isJSON || listsSettings, let first = settings.first {
      throw .usage(
        "\(isJSON ? "--json" : "--settings") shows all settings, but '\(first)' was named: leave one of "
          + "them out")
    }
  }

  var subject: Subject {
    if listsPresets { return .presets }
    guard let first = operands.first, !Self.isFile(first) else { return .files(operands) }
    return .port(first, settings: Array(operands.dropFirst()))
  }

  /// Whether an operand is a file or folder rather than the name of a port.
  private static func isFile(_ text: String) -> Bool {
    text == "-" || SoundFontFile.isNamed(text) || SongFinder.isSong(text)
      || access(text.platformString, F_OK) == 0
      || ["/", "./", "../", "~"].contains { text.hasPrefix($0) }
  }

  static let table = OptionTable<InfoOptions>(rows: [
    .init(
      names: ["-s", "--soundfont"], value: "FILE",
      help: "the SoundFont in which to look for the presets of\nsongs, or whose presets are listed"
    ) { $0.soundFont = $1 }.completing(.soundFonts),
    .init(
      names: ["--bank-style"], value: "STYLE",
      help: "how banks of songs choose presets, as for render\n(auto)"
    ) { $0.style = try OptionValue.choice($1, of: "--bank-style") }
    .completing(.words(BankStyle.allCases.map(\.rawValue))),
    .flag(
      "--presets", help: "list the presets whose names contain all words",
      \.listsPresets),
    .init(names: ["--port"], value: "PORT", help: "with --presets: those of a port") {
      $0.port = $1
    },
    .flag(
      "--settings", help: "of a port: write NAME=VALUE, as portative set takes\nit", \.listsSettings
    ),
    .flag("--json", help: "write a line of JSON for each file, or one", \.isJSON),
    .help(\.wantsHelp),
  ])
}

extension Help {
  static let info = HelpText(
    usage: [
      "portative info [OPTIONS] SONG.mid|SOUNDFONT.sf2|FOLDER …",
      "portative info [--json|--settings] PORT|lv2:URI",
      "portative info PORT SETTING …",
      "portative info --presets [--port PORT|SOUNDFONT.sf2] [WORD …]",
    ],
    description: """
      Shows what is in a song: its length, tempos, meters and keys, the presets that
      each channel plays and those that the SoundFont lacks, words, messages without
      effect, and faults that were repaired. Of a SoundFont it shows the presets with
      their keys, the sizes and the licence. Of several files or a folder of songs,
      one line each. - is a song from standard input.

      Of a port it shows the SoundFont, the preset, the zones, the parameters with
      their values, and the presets; or the value of each SETTING that is named, one
      on each line. A port that keyboards or a host play is not interrupted. If its
      node is not running, it is started. Of an LV2 plugin it shows the same, and what
      becomes of the frames of notes, as portative check measures it at length.

      With --presets, the presets are those of a SoundFont or port, or else of the
      SoundFont that portative render plays. A WORD such as 0:40 is a bank and a
      program.
      """,
    options: InfoOptions.table.entries,
    exitCodes: ExitStatus.of(0, 1, 2, 3, 5),
    examples: """
      portative info song.mid
      portative info "General MIDI" gain reverb.room
      portative info --presets string ensemble
      portative info ~/Songs
      portative info /usr/share/sounds/sf2/FluidR3_GM.sf2
      """)
}
