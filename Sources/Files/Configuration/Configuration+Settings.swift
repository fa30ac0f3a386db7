import LocalSystem

extension Configuration {
  /// A setting, its value in force, and where the value comes from.
  package struct Setting: Equatable, Sendable {
    /// The path of the field, such as `midi.connect`.
    package let name: String
    package let value: Value
    /// `nil`: no file sets it, so the value is the default.
    package let source: Source?

    /// The place in a file.
    package struct Source: Equatable, Sendable {
      package let file: String
      package let line: Int
      package let column: Int
    }

    package enum Value: Equatable, Sendable {
      case text(String)
      case number(Double)
      case list([String])
      case none
    }
  }

  /// The settings that a file can have, apart from the SoundFont, which depends on more than files.
  ///
  /// - Throws: If `takes.minutes` is out of range.
  package func settings() throws(ConfigurationError) -> [Setting] {
    let kept = try takeSeconds() / 60
    return [
      setting("ports", ports.map { .list($0.map(\.name)) } ?? .none),
      setting("midi.connect", .text((midi.connect ?? .hardware).rawValue)),
      setting("midi.ignore", .list(midi.ignore ?? [])),
      setting("midi.names", .list((midi.names ?? []).map(\.name))),
      setting("scenes", .list(scenes.map(\.name))),
      setting("setList", setList.map { .list($0) } ?? .none),
      setting("takes.minutes", .number(kept)),
      setting("controls", .list(controls.map(\.summary))),
      setting("outputs", .list(outputs.map(\.name))),
    ]
  }

  private func setting(_ name: String, _ value: Setting.Value) -> Setting {
    Setting(name: name, value: value, source: source(of: name))
  }

  /// The place of the field that is in force; `nil` if no file has it.
  package func source(of name: String) -> Setting.Source? {
    let path = name.split(separator: ".").map { JSON5Step.field(String($0)) }
    guard let file = sources.first(where: { $0.document.sets(path) }) else { return nil }
    let location = file.document.location(of: path)
    return Setting.Source(file: file.path, line: location.line, column: location.column)
  }
}

extension ControlSettings {
  /// The message and what it controls, in a few words.
  fileprivate var summary: String {
    let message: String
    switch (controller, note, program) {
    case (let number?, _, _): message = "controller \(number)"
    case (_, let number?, _): message = "note \(number)"
    case (_, _, .number(let number)?): message = "program \(number)"
    case (_, _, .any?): message = "program changes"
    default: message = pitchBend == true ? "pitch bend" : "pressure"
    }
    return "\(message): \(does ?? parameter ?? "nothing")"
  }
}
