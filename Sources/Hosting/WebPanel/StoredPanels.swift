import LocalSystem

/// The ports and secrets of panels, so that open pages and bookmarks work when a server is started again.
struct StoredPanels: StoredContent {
  static let currentVersion = 1
  var version = Self.currentVersion
  /// By the name of the node.
  var panels: [String: Panel] = [:]

  struct Panel: Codable, Equatable, Sendable {
    var port: Int
    var secret: String
  }

  /// Returns the file in the state folder; `nil` if there is none.
  static func file(_ environment: ProcessEnvironment) -> StoredFile<StoredPanels>? {
    environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      StoredFile(path: "\($0)/portative/panels.json")
    }
  }

  /// 128 random bits.
  static func makeSecret() -> String {
    (0..<2).map { _ in
      let text = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }
}
