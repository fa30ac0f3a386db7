/// A property of a plugin that hosts show and set by messages.
public struct PluginProperty: Equatable, Sendable {
  public enum Subject: Hashable, Sendable {
    /// The port to play.
    case port
    /// A file of the unit, by its identifier.
    case file(String)
  }

  public let subject: Subject
  /// A name for the user.
  public let name: String

  public var uri: String {
    switch subject {
    case .port: PluginURI.portProperty
    case .file(let identifier): PluginURI.fileProperty(identifier)
    }
  }
}

/// A file of a unit that hosts can choose, as a bundle describes it.
public struct PluginFile: Codable, Equatable, Sendable {
  public let identifier: String
  /// A name for the user, such as "SoundFont".
  public let name: String

  public init(identifier: String, name: String) {
    self.identifier = identifier
    self.name = name
  }
}

extension PluginDescription {
  public var properties: [PluginProperty] {
    let port = port == nil ? [PluginProperty(subject: .port, name: "Port")] : []
    let files = files ?? []
    return port + files.map { PluginProperty(subject: .file($0.identifier), name: $0.name) }
  }
}
