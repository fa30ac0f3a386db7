import LocalSystem
import Options

/// Finds a scene by its name or part of it.
struct SceneSearch {
  let names: [String]

  /// - Throws: ``Failure`` with the scenes that match, or with the nearest name.
  func index(of text: String) throws(Failure) -> Int {
    let wanted = text.lowercased()
    if let index = names.firstIndex(where: { $0.lowercased() == wanted }) { return index }
    let found = names.indices.filter { names[$0].lowercased().contains(wanted) }
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let nearest = closest(to: wanted, among: names.map { $0.lowercased() })
      let known = names.first { $0.lowercased() == nearest }
      throw .usage(
        "there is no scene '\(text)': "
          + (known.map { "did you mean '\($0)'?" } ?? "portative scene lists them"))
    }
    let list = found.prefix(5).map { "'\(names[$0])'" }.joined(separator: ", ")
    throw .usage(
      "'\(text)' is ambiguous: it matches \(list)" + (found.count > 5 ? ", and others" : ""))
  }
}
