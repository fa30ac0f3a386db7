package import LocalSystem

/// A setting and its value: `gain=-3`.
package struct Assignment: Equatable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// - Throws: ``Failure`` without an equals sign.
  package init(reading text: String) throws(Failure) {
    guard let assignment = Assignment(text) else {
      throw .usage("a setting must be NAME=VALUE, as in gain=-3, but is '\(text)'")
    }
    self = assignment
  }

  /// - Returns: `nil` without an equals sign.
  package init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}
