/// The words that a shell can offer for the value of an option, or for an operand.
package enum OptionCompletion: Equatable, Sendable {
  case nothing
  case words([String])
  /// Folders, and files whose names end in one of the extensions; all files if there is none.
  case files([String])
  case folders
  /// The names of ports.
  case ports

  package static let soundFonts = OptionCompletion.files(["sf2", "sf3"])

  /// Derives it from the name of the value in the help: `on|off` are words, `FILE` and `DIR` are paths.
  package init(value: String?) {
    switch value {
    case "FILE": self = .files([])
    case "DIR": self = .folders
    case let value? where value.contains("|"):
      // Words in capitals stand for a value.
      self = .words(
        value.split(separator: "|").map(String.init).filter {
          $0 != $0.uppercased() || $0.allSatisfy(\.isNumber)
        })
    default: self = .nothing
    }
  }
}
