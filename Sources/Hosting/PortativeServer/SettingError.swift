import Configuration
import FluidSynthEngine
import LocalSystem
import NodeProtocol
import RenderCore

/// An invalid setting of a port.
struct SettingError: Error, Equatable {
  /// The field of the port, such as `preset.bank`; `nil` for the port as a whole.
  let field: String?
  /// The text after the field, such as `must be exact or stock, but is 'late'`.
  let predicate: String

  init(_ field: String?, _ predicate: String) {
    self.field = field
    self.predicate = predicate
  }

  /// - Parameter words: The valid values of the field.
  init(_ field: String, is word: String, of words: [String]) {
    let list = words.joined(separator: ", ")
    let hint = closest(to: word, among: words).map { ": did you mean '\($0)'?" } ?? ""
    self.init(field, "must be one of \(list), but is '\(word)'\(hint)")
  }

  /// - Returns: `nil` if the error is not about a setting.
  init?(_ error: any Error) {
    switch error {
    case let error as SettingError: self = error
    case let error as DescriptionError:
      self.init(error.field, "cannot be '\(error.value.quotable)': \(error.remedy)")
    // Settings and their fields have the same names.
    case InstrumentError.settingOutOfRange(let name, let value, let range):
      self.init(name, "must be \(range), but is \(value)")
    case InstrumentError.noSuchPreset: self.init("preset", "does not exist: \(error)")
    case InstrumentError.noSuchReverbEngine:
      self.init("reverbEngine", "is not available: \(error)")
    case ParameterError.outOfRange(let parameter, _):
      self.init("parameters.\(parameter.identifier)", "is out of range: \(error)")
    case ParameterError.unknown(let identifier, let known):
      let hint = closest(to: identifier, among: known)
      self.init(
        "parameters.\(identifier)",
        hint.map { "is not a parameter: did you mean '\($0)'?" } ?? "cannot be set: \(error)")
    default: return nil
    }
  }
}

extension SettingError {
  /// Creates the error in a control of a parameter.
  init(_ error: ParameterError, of controlled: ControlledParameter) {
    switch error {
    case .unknown: self.init("parameter", "cannot be controlled: \(error.withHint)")
    case .outOfRange(_, let value):
      self.init(value == controlled.from ? "from" : "to", "is out of range: \(error)")
    }
  }
}

extension Configuration {
  /// Returns an error in the settings of a control, with its location.
  func error(_ error: SettingError, inControl index: Int) -> ConfigurationError {
    let path = "controls[\(index)]"
    let subject = error.field.map { "'\(path).\($0)' " } ?? "'\(path)': "
    return self.error(inControl: index, field: error.field, reason: subject + error.predicate)
  }

  /// Returns an error in the settings of a port, with its location.
  func error(_ error: SettingError, inPort index: Int) -> ConfigurationError {
    let path = "ports[\(index)]"
    let subject = error.field.map { "'\(path).\($0)' " } ?? "'\(path)': "
    return self.error(inPort: index, field: error.field, reason: subject + error.predicate)
  }
}
