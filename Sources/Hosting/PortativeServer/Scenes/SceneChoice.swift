import Configuration
import LocalSystem

/// The names of scenes.
struct SceneList: Equatable, Sendable {
  /// The scenes of the set list in their order, then all others.
  var names: [String] = []
  /// How many of ``names`` are the set list.
  var setListCount = 0
  /// `nil`: none has been chosen.
  var current: String?
  /// The next scene of the set list; `nil` at its end.
  var next: String?
  /// In semitones, by the scene and the player.
  var transposition = 0
  /// What the player wants to read.
  var text: String?
}

/// A transposition of all ports by the player, in semitones.
package enum Transposition: Hashable, Sendable {
  case by(Int)
  case to(Int)
}

/// A scene to choose.
package enum SceneChoice: Equatable, Sendable {
  /// By name, or a part that no other scene has.
  case named(String)
  /// 1: the next of the set list; −1: the previous one.
  case step(Int)
  /// By the place in the set list, from 0.
  case place(Int)
}

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
