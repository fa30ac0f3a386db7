import Configuration
import LocalSystem

/// The options of `portative take`.
struct TakeOptions: Equatable {
  /// The seconds before now; `nil` for all that is kept.
  var seconds: Double?
  /// The port's name, or part of it; `nil` for all ports.
  var port: String?
  /// The path of the MIDI file; `nil` for a new name.
  var output: String?
  /// The path of the audio file; `nil` for none.
  var audio: String?
  var keepsSilence = false
  var overwrites = false
  var isQuiet = false
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `take`.
  init(arguments: [String]) throws(Failure) {
    var operands = try Self.table.parse(arguments, into: &self)[...]
    if wantsHelp { return }
    if let first = operands.first, Self.looksLikeDuration(first) {
      seconds = try Self.duration(first)
      operands.removeFirst()
    }
    port = operands.popFirst()
    if let extra = operands.first {
      throw .usage(
        "take has at most a duration and a port, but got '\(extra)' as well: portative take 5m piano"
      )
    }
    for (name, path) in [("--output", output), ("--audio", audio)] where path == "-" {
      throw .usage("\(name) must be a file, because take writes about it to standard output")
    }
    if let output, output == audio { throw .usage("--output and --audio name the same file") }
  }

  private static func looksLikeDuration(_ text: String) -> Bool {
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, 48...57 ~= first else { return text == "" }
    return true
  }

  /// Reads a duration: seconds (`90`, `90s`), minutes (`5m`), hours (`1h`) or a time as `1:30`.
  static func duration(_ text: String) throws(Failure) -> Double {
    guard let seconds = seconds(text), seconds > 0, seconds <= 360_000 else {
      throw .usage(
        "DURATION must be a time before now as 90, 90s, 5m, 1h or 1:30, more than 0 and at most 100 hours, "
          + "but was '\(text)'")
    }
    return seconds
  }

  private static func seconds(_ text: String) -> Double? {
    if let unit = ["s": 1.0, "m": 60, "h": 3600][text.suffix(1)] {
      return OptionValue.plainNumber(String(text.dropLast())).map { $0 * unit }
    }
    return try? OptionValue.time(text, of: "DURATION")
  }

  static let table = OptionTable<TakeOptions>(rows: [
    .path(
      "-o", "--output", value: "FILE",
      help: "write the MIDI file FILE (take.mid, or a number is\nadded if it exists)", \.output),
    .path(
      "--audio", value: "FILE",
      help: "also render the take to FILE, in the format of its\nending, as it was heard", \.audio),
    .flag(
      "--keep-silence",
      help: "begin where the instrument began to render, instead\nof with the first note",
      \.keepsSilence),
    .flag("--overwrite", help: "replace files that exist", \.overwrites),
    .flag("--json", help: "write one line of JSON about the files", \.isJSON), .quiet(\.isQuiet),
    .help(\.wantsHelp),
  ])
}
