/// Identifiers of which no two are the same.
struct IdentifierList {
  private var known: Set<String> = []

  /// Returns the identifier, with a number behind it if another one is the same.
  mutating func add(_ identifier: String) -> String {
    var (unique, number) = (identifier, 2)
    while !known.insert(unique).inserted {
      unique = "\(identifier)-\(number)"
      number += 1
    }
    return unique
  }
}

extension LV2Property {
  /// The last part of its URI, as an identifier.
  var identifier: String {
    let last = uri.split { "/#:".contains($0) }.last.map(String.init) ?? ""
    return last.asIdentifier.nonEmpty ?? "property"
  }
}

extension String {
  /// The text in lower case, with a `-` in place of all that is neither a letter nor a digit of ASCII.
  var asIdentifier: String {
    lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  var nonEmpty: String? { isEmpty ? nil : self }
}
