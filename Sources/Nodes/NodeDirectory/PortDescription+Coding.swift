extension PortDescription: Codable {
  private enum Key: String, CodingKey {
    case name, version, icon, tags
  }

  /// - Throws: `DecodingError`. For an invalid value it has the coding path and the text of ``DescriptionError``.
  public init(from decoder: any Decoder) throws {
    let component = try ComponentDescription(from: decoder)
    let fields = try decoder.container(keyedBy: Key.self)
    let name = try fields.decode(String.self, forKey: .name)
    let version = try fields.decode(SemanticVersion.self, forKey: .version)
    let icon = try fields.decodeIfPresent(String.self, forKey: .icon)
    let tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
    do {
      try self.init(component: component, name: name, version: version, icon: icon, tags: tags)
    } catch {
      throw decoder.invalidValue(error.description, at: Key(rawValue: error.field))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try component.encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(version, forKey: .version)
    try fields.encodeIfPresent(icon, forKey: .icon)
    if !tags.isEmpty { try fields.encode(tags, forKey: .tags) }
  }
}
