import FoundationEssentials
import Glibc
import LocalSystem

/// A bundle that Portative has written.
package struct InstalledBundle: Equatable, Sendable {
  /// The path of the bundle's folder.
  package let path: String
  package let node: String
  package let plugins: [PluginDescription]
  /// The plugins with their presets.
  package let bundledPlugins: [BundledPlugin]
  /// Whether the link to the shared object leads to a file.
  package let hasLibrary: Bool

  /// A limit for `portative.json`, which is more than a node with 128 ports and 1024 parameters each needs.
  private static let longestFile = 64 << 20

  /// Reads a bundle.
  ///
  /// - Returns: `nil` if Portative has not written the folder.
  init?(at path: String) {
    guard let bytes = Self.bytes(at: path),
      let bundle = try? JSONDecoder().decode(PluginBundle.self, from: Data(bytes)),
      let node = bundle.node
    else { return nil }
    self.path = path
    self.node = node
    plugins = bundle.plugins
    bundledPlugins = bundle.bundledPlugins
    hasLibrary = access("\(path)/\(BundleContent.Name.library)".platformString, R_OK) == 0
  }

  /// Returns whether Portative has written the folder, in this version or another one.
  static func isBundle(_ path: String) -> Bool {
    guard let bytes = bytes(at: path) else { return false }
    return (try? JSONDecoder().decode(Mark.self, from: Data(bytes))) != nil
  }

  /// The part that every version of ``PluginBundle`` has.
  private struct Mark: Decodable {
    var version: Int
    var plugins: [Plugin]

    struct Plugin: Decodable { var uri: String }
  }

  private static func bytes(at path: String) -> [UInt8]? {
    try? WholeFile.read("\(path)/\(PluginBundle.fileName)", limit: longestFile)
  }
}
