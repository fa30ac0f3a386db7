import LocalSystem

/// The properties of a port that are known before a host connects to it.
///
/// The JSON form is the same in manifests, in the list of a running node's ports, and in messages: an object with the
/// fields `type`, `subtype`, `manufacturer`, `name`, `version`, and optionally `icon`, `tags` and `channels`.
public struct PortDescription: Hashable, Sendable {
  public let component: ComponentDescription
  /// The name shown to users: `Maker: Name`.
  public let name: String
  public let version: SemanticVersion
  /// The absolute path of an image.
  public let icon: String?
  /// Search terms, such as `piano`. Their order has no meaning.
  public let tags: [String]
  /// The numbers of channels that the port can have; `nil` if they are known only from its units.
  public let channels: PortChannels?

  /// The maximum length of ``name`` and of a tag, in bytes of UTF-8.
  public static let maximumNameLength = 255

  /// Creates a description.
  ///
  /// - Throws: ``DescriptionError`` when `name` is not of the form `Maker: Name`, is too long or has control,
  ///   directional or invisible characters; when `icon` is not an absolute path; when a tag is empty, has spaces around
  ///   it, has such characters, is too long or is repeated; when an instrument or a generator has inputs.
  public init(
    component: ComponentDescription, name: String, version: SemanticVersion, icon: String? = nil,
    tags: [String] = [], channels: PortChannels? = nil
  ) throws(DescriptionError) {
    let parts = Self.parts(name)
    guard let parts, Self.isTrimmed(parts.maker), Self.isTrimmed(parts.shortName) else {
      throw DescriptionError(
        field: "name", value: name, remedy: "write a maker and a name, as in 'Maker: Name'")
    }
    try Self.check(name, field: "name")
    if let icon, !icon.hasPrefix("/") {
      throw DescriptionError(
        field: "icon", value: icon,
        remedy: "give an absolute path, because hosts run in other folders")
    }
    for (index, tag) in tags.enumerated() {
      if !Self.isTrimmed(tag[...]) {
        throw DescriptionError(
          field: "tags", value: tag, remedy: "write a word, without spaces around it")
      }
      try Self.check(tag, field: "tags")
      if tags[..<index].contains(tag) {
        throw DescriptionError(field: "tags", value: tag, remedy: "list it once")
      }
    }
    if let channels, !component.type.takesAudio, channels.inputs != 0...0 {
      throw DescriptionError(
        field: "channels", value: channels.text,
        remedy: "give 0 inputs, because the type \(component.type) has none")
    }
    self.component = component
    self.name = name
    self.version = version
    self.icon = icon
    self.tags = tags
    self.channels = channels
  }

  /// The part of ``name`` before the first `: `.
  public var maker: String { Self.parts(name).map { String($0.maker) } ?? "" }
  /// The part of ``name`` after the first `: `.
  public var shortName: String { Self.parts(name).map { String($0.shortName) } ?? name }

  private static func parts(_ name: String) -> (maker: Substring, shortName: Substring)? {
    var index = name.startIndex
    while let colon = name[index...].firstIndex(of: ":") {
      index = name.index(after: colon)
      if name[index...].hasPrefix(" ") {
        return (name[..<colon], name[name.index(after: index)...])
      }
    }
    return nil
  }

  /// Returns whether the text is not empty and has no spaces around it.
  private static func isTrimmed(_ text: Substring) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    return !first.isWhitespace && !last.isWhitespace
  }

  private static func check(_ text: String, field: String) throws(DescriptionError) {
    if let remedy = NameRule(atMost: maximumNameLength, .bytes).remedy(for: text) {
      throw DescriptionError(field: field, value: text, remedy: remedy)
    }
  }
}

extension PortDescription: Codable {
  private enum Key: String, CodingKey {
    case name, version, icon, tags, channels
  }

  /// - Throws: `DecodingError`. For an invalid value it has the coding path and the text of ``DescriptionError``.
  public init(from decoder: any Decoder) throws {
    let component = try ComponentDescription(from: decoder)
    let fields = try decoder.container(keyedBy: Key.self)
    let name = try fields.decode(String.self, forKey: .name)
    let version = try fields.decode(SemanticVersion.self, forKey: .version)
    let icon = try fields.decodeIfPresent(String.self, forKey: .icon)
    let tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
    let channels = try fields.decodeIfPresent(PortChannels.self, forKey: .channels)
    do {
      try self.init(
        component: component, name: name, version: version, icon: icon, tags: tags,
        channels: channels)
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
    try fields.encodeIfPresent(channels, forKey: .channels)
  }
}
