import LocalSystem

/// The rules for names of nodes, which are used in file names and shown to users.
enum NodeName {
  /// Leaves room for the folder and the suffix in a socket path.
  private static let rule = NameRule(atMost: 64, .bytes)

  /// - Throws: ``NodeError/badName(_:remedy:)``
  static func check(_ name: String) throws(NodeError) {
    if let remedy = rule.remedy(for: name) { throw .badName(name, remedy: remedy) }
    if name.hasPrefix(".") { throw .badName(name, remedy: "do not start it with '.'") }
    if name.contains("/") { throw .badName(name, remedy: "remove '/'") }
  }
}
