/// The rule for names that a user, a file, a page or another program gives, and that are stored or shown to others.
package struct NameRule: Sendable {
  package enum Unit: String, Sendable { case bytes, characters }

  package let maximum: Int
  package let unit: Unit

  /// - Parameters:
  ///   - maximum: The greatest length.
  ///   - unit: What is counted: bytes of UTF-8, or Unicode scalars.
  package init(atMost maximum: Int, _ unit: Unit) {
    self.maximum = maximum
    self.unit = unit
  }

  /// Returns how to correct a text that cannot be a name, as an imperative clause; `nil` if it can be one.
  package func remedy(for text: String) -> String? {
    let length = unit == .bytes ? text.utf8.count : text.unicodeScalars.count
    if text.allSatisfy(\.isWhitespace) { return "write 1 to \(maximum) \(unit)" }
    if length > maximum { return "it has \(length) \(unit), write at most \(maximum)" }
    let scalars = Array(text.unicodeScalars)
    guard let index = scalars.firstIndex(where: \.isHidden) else { return nil }
    return
      "remove \(scalars[index].escaped(asASCII: true)), which is character \(index + 1): names have no "
      + "control, directional or invisible characters"
  }
}
