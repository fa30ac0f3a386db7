import Configuration
import LocalSystem

/// Finds a scene by its name or part of it.
struct SceneSearch {
  let names: [String]

  /// - Throws: ``Failure`` with the scenes that match, or with the nearest name.
  func index(of text: String) throws(Failure) -> Int {
    let search = NameSearch(
      "scene", names: names, labels: names.map { "'\($0)'" }, hint: "portative scene lists them")
    return try search.index(of: text) {
      names.indices.filter { names[$0].lowercased().contains(text.lowercased()) }
    }
  }
}
