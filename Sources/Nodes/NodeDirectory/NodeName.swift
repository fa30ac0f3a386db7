/// The rules for names of nodes, which are used in file names and shown to users.
enum NodeName {
  /// The maximum length in bytes. Leaves room for the folder and the suffix in a socket path.
  static let maximumLength = 64

  /// - Throws: ``NodeError/badName(_:remedy:)``
  static func check(_ name: String) throws(NodeError) {
    let length = name.utf8.count
    if name.isEmpty { throw .badName(name, remedy: "give it at least one character") }
    if name.hasPrefix(".") { throw .badName(name, remedy: "do not start it with '.'") }
    if name.contains("/") { throw .badName(name, remedy: "remove '/'") }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw .badName(name, remedy: "remove control characters")
    }
    if length > maximumLength {
      throw .badName(name, remedy: "it has \(length) bytes, make it at most \(maximumLength)")
    }
  }
}
