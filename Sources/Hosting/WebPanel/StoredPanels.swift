import LocalSystem

/// The ports and master keys of panels, so that open pages go on when a server is started again.
struct StoredPanels: StoredContent {
  static let currentVersion = 2
  var version = Self.currentVersion
  /// By the name of the node.
  var panels: [String: Panel] = [:]

  struct Panel: Codable, Equatable, Sendable {
    var port: Int
    /// The key of the keys of pages, see ``PanelAccess``; `nil` in a file of version 1, which had secrets of links.
    var masterKey: String?
  }

  /// Returns the file in the state folder; `nil` if there is none.
  static func file(_ environment: ProcessEnvironment) -> StoredFile<StoredPanels>? {
    environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      StoredFile(path: "\($0)/portative/panels.json")
    }
  }
}
