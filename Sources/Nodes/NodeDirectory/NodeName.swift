/// What the name of a node may be: it is part of file names, and is shown.
enum NodeName {
  /// Leaves room for `.launch` and the folder in a socket's path.
  static let maximumLength = 64

  /// - Throws: ``NodeError/badName(_:remedy:)``
  static func check(_ name: String) throws(NodeError) {
    let length = name.utf8.count
    if name.isEmpty { throw .badName(name, remedy: "give it at least one character") }
    if name.hasPrefix(".") { throw .badName(name, remedy: "begin it with something else than '.'") }
    if name.contains("/") { throw .badName(name, remedy: "leave out '/'") }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badName(name, remedy: "leave out control characters")
    }
    if length > maximumLength {
      throw .badName(name, remedy: "it has \(length) bytes, make it at most \(maximumLength)")
    }
  }
}
