package import LocalSystem

/// Finds the thing that a text names.
package struct NameSearch {
  /// The kind of the things, such as `preset`.
  let kind: String
  let names: [String]
  /// The name of the things in messages.
  let labels: [String]
  /// The hint in messages if there is no similar name.
  let hint: String

  package init(_ kind: String, names: [String], labels: [String], hint: String) {
    self.kind = kind
    self.names = names
    self.labels = labels
    self.hint = hint
  }

  /// Returns the index of the thing that has the text as its whole name, in any case, or that is the only one to match.
  ///
  /// - Parameter matches: Returns the indices of the things that match the text in another way.
  /// - Throws: ``Failure`` with the things that match, or with the nearest name.
  package func index(of text: String, matches: () -> [Int]) throws(Failure) -> Int {
    let wanted = text.lowercased()
    let known = names.map { $0.lowercased() }
    if let exact = known.firstIndex(of: wanted) { return exact }
    let found = matches()
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let nearest = closest(to: wanted, among: known).flatMap { known.firstIndex(of: $0) }
      throw .usage(
        "there is no \(kind) '\(text)': " + (nearest.map { "did you mean '\(names[$0])'?" } ?? hint)
      )
    }
    let list = found.prefix(5).map { labels[$0] }.joined(separator: ", ")
    throw .usage(
      "'\(text)' is ambiguous: it matches \(list)" + (found.count > 5 ? ", and others" : ""))
  }
}
