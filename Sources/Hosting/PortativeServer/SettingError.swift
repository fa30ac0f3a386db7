import FluidSynthEngine
import NodeDirectory
import Options
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

  init(_ error: DescriptionError) {
    self.init(error.field, "cannot be '\(error.value)': \(error.remedy)")
  }

  /// - Returns: `nil` if the error is not about a setting.
  init?(_ error: InstrumentError) {
    switch error {
    case .settingOutOfRange(let name, let value, let range):
      // Settings and their fields have the same names.
      self.init(name, "must be \(range), but is \(value)")
    case .noSuchPreset: self.init("preset", "is not there: \(error)")
    case .noSuchReverbEngine: self.init("reverbEngine", "cannot be had: \(error)")
    case .soundFontUnreadable, .notASoundFont, .noMemoryForSoundFont, .rateOutOfRange,
      .unusableLibrary, .outOfMemory:
      return nil
    }
  }

  init(_ error: ParameterError) {
    switch error {
    case .outOfRange(let parameter, _):
      self.init("parameters.\(parameter.identifier)", "is out of range: \(error)")
    case .unknown(let identifier, let known):
      let hint = closest(to: identifier, among: known)
      self.init(
        "parameters.\(identifier)",
        hint.map { "is no parameter: did you mean '\($0)'?" } ?? "cannot be set: \(error)")
    }
  }
}
