import LocalSystem

/// The content of the file that stores connections.
struct StoredWirings: StoredContent {
  static let currentVersion = 1
  var version = currentVersion
  var keyboards: [WiringRecord] = []
}

/// The file that stores connections.
typealias WiringFile = StoredFile<StoredWirings>
