import Configuration
import LocalSystem
import NodeProtocol

/// A line of `portative config`.
struct ConfigSetting: Encodable, Equatable {
  let name: String
  let value: Configuration.Setting.Value
  let origin: Origin

  /// Where a value comes from.
  enum Origin: Equatable {
    case byDefault
    case file(Configuration.Setting.Source)
    case environment(String)
    case option(String)
    /// It was found; the text says where.
    case search(String)

    var text: String {
      switch self {
      case .byDefault: "default"
      case .file(let source): "\(source.file):\(source.line):\(source.column)"
      case .environment(let variable): "$\(variable)"
      case .option(let name): name
      case .search(let place): place
      }
    }
  }

  init(_ name: String, _ value: Configuration.Setting.Value, _ origin: Origin) {
    self.name = name
    self.value = value
    self.origin = origin
  }

  init(_ setting: Configuration.Setting) {
    self.init(setting.name, setting.value, setting.source.map { .file($0) } ?? .byDefault)
  }

  /// The folders that the program uses.
  static func folders(_ environment: ProcessEnvironment) -> [ConfigSetting] {
    let directories = NodeDirectories(environment)
    func origin(_ variables: String...) -> Origin {
      variables.first { environment.variable($0) != nil }.map { .environment($0) } ?? .byDefault
    }
    return [
      ConfigSetting(
        "folders.nodes", .list(directories.manifests), origin("XDG_DATA_HOME", "XDG_DATA_DIRS")),
      ConfigSetting("folders.runtime", .text(directories.runtime), origin("XDG_RUNTIME_DIR")),
      ConfigSetting(
        "folders.state", directories.state.map { .text($0) } ?? .none, origin("XDG_STATE_HOME")),
    ]
  }

  var valueText: String {
    switch value {
    case .text(let text): text
    case .number(let number): OptionValue.brief(number)
    case .list(let items): items.isEmpty ? "none" : items.joined(separator: ", ")
    case .none:
      name == "ports"
        ? "one for each built-in unit" : name == "setList" ? "the order of scenes" : "none"
    }
  }

  private enum Key: CodingKey {
    case name, value, origin, file, line, column, variable, option, place
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    switch value {
    case .text(let text): try container.encode(text, forKey: .value)
    case .number(let number): try container.encode(number, forKey: .value)
    case .list(let items): try container.encode(items, forKey: .value)
    case .none: try container.encodeNil(forKey: .value)
    }
    switch origin {
    case .byDefault:
      try container.encode("default", forKey: .origin)
    case .file(let source):
      try container.encode("file", forKey: .origin)
      try container.encode(source.file, forKey: .file)
      try container.encode(source.line, forKey: .line)
      try container.encode(source.column, forKey: .column)
    case .environment(let variable):
      try container.encode("environment", forKey: .origin)
      try container.encode(variable, forKey: .variable)
    case .option(let option):
      try container.encode("option", forKey: .origin)
      try container.encode(option, forKey: .option)
    case .search(let place):
      try container.encode("search", forKey: .origin)
      try container.encode(place, forKey: .place)
    }
  }
}
