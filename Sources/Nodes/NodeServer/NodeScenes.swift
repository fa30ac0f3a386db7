package import LocalSystem
package import NodeProtocol

/// The scenes of a node: what keyboards play on its ports. A server without them has no scenes.
///
/// Threads: any.
package protocol NodeScenes: Sendable {
  var list: SceneList { get }

  /// Chooses a scene.
  ///
  /// - Returns: Its name.
  /// - Throws: ``Failure`` if there is no such scene or if it cannot be played; nothing has changed then.
  @discardableResult
  func choose(_ choice: SceneChoice) throws(Failure) -> String

  /// Saves what keyboards play as a scene, and chooses it.
  ///
  /// - Returns: The file in which it is saved.
  /// - Throws: ``Failure`` if it cannot be saved.
  func save(as name: String, replaces: Bool) throws(Failure) -> String

  /// Returns the zones of a port in the notation of the configuration; `nil` if its unit plays everything.
  ///
  /// - Throws: ``Failure`` if there is no such port.
  func zones(of component: ComponentDescription) throws(Failure) -> String?

  /// Replaces the zones of a port until a scene is chosen.
  ///
  /// - Parameter text: The zones in the notation of the configuration; `nil`: those of the scene or the configuration.
  /// - Throws: ``Failure`` if the zones cannot be played; nothing has changed then.
  func setZones(_ text: String?, of component: ComponentDescription) throws(Failure)
}

/// The names of scenes.
package struct SceneList: Equatable, Sendable {
  /// The scenes of the set list in their order, then all others.
  package var names: [String] = []
  /// How many of ``names`` are the set list.
  package var setListCount = 0
  /// `nil`: none has been chosen.
  package var current: String?

  package init(names: [String] = [], setListCount: Int = 0, current: String? = nil) {
    self.names = names
    self.setListCount = setListCount
    self.current = current
  }
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
