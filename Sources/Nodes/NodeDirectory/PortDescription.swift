/// What a node says of a port before anyone is connected to it.
///
/// The same in manifests, in what a running node publishes, and between processes: an object with
/// the fields `type`, `subtype`, `manufacturer`, `name`, `version`, `icon` (may be left out) and
/// `tags` (may be left out).
public struct PortDescription: Hashable, Sendable {
  public let component: ComponentDescription
  /// As shown to people: `Maker: Name`.
  public let name: String
  public let version: SemanticVersion
  /// The absolute path of a picture.
  public let icon: String?
  /// Words to find it by, such as `piano`; their order means nothing.
  public let tags: [String]

  /// The longest ``name`` or tag, in bytes of UTF-8.
  public static let maximumNameLength = 255

  /// - Throws: ``DescriptionError`` when `name` is not a maker and a name with `: ` between, is too
  ///   long, or has control characters; when `icon` is not absolute; when a tag is empty, too long
  ///   or there twice.
  public init(
    component: ComponentDescription, name: String, version: SemanticVersion, icon: String? = nil,
    tags: [String] = []
  ) throws(DescriptionError) {
    let parts = Self.parts(name)
    guard let parts, Self.isTidy(parts.maker), Self.isTidy(parts.shortName) else {
      throw DescriptionError(
        field: "name", value: name, remedy: "write a maker and a name, as in 'Maker: Name'")
    }
    try Self.check(name, field: "name")
    if let icon, !icon.hasPrefix("/") {
      throw DescriptionError(
        field: "icon", value: icon, remedy: "give an absolute path, for hosts run anywhere")
    }
    for (index, tag) in tags.enumerated() {
      if !Self.isTidy(tag[...]) {
        throw DescriptionError(
          field: "tags", value: tag, remedy: "write a word, without spaces around it")
      }
      try Self.check(tag, field: "tags")
      if tags[..<index].contains(tag) {
        throw DescriptionError(field: "tags", value: tag, remedy: "list it once")
      }
    }
    self.component = component
    self.name = name
    self.version = version
    self.icon = icon
    self.tags = tags
  }

  /// What is before the first `: ` of ``name``.
  public var maker: String { Self.parts(name).map { String($0.maker) } ?? "" }
  /// What is after it.
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

  /// Whether there is something, without spaces around it.
  private static func isTidy(_ text: Substring) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    return !first.isWhitespace && !last.isWhitespace
  }

  private static func check(_ text: String, field: String) throws(DescriptionError) {
    if text.utf8.count > maximumNameLength {
      throw DescriptionError(
        field: field, value: text,
        remedy: "it has \(text.utf8.count) bytes, write at most \(maximumNameLength)")
    }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw DescriptionError(
        field: field, value: text, remedy: "leave out line breaks and other control characters")
    }
  }
}
