package import LV2Host
package import LocalSystem
package import NodeProtocol

/// An LV2 plugin that a user has named, and one of its presets.
///
/// It is written as the plugin's URI, which a `#` and the name of a preset may follow: `http://example.org/organ#Full`.
package struct PluginSelection: Equatable, Sendable {
  package var plugin: LV2Plugin { source.plugin }
  /// `nil`: the plugin's defaults.
  package var preset: String? { source.preset }
  /// What makes units of the plugin in this process.
  package let source: LV2Source

  /// What names a plugin where ports and SoundFonts can be named, too.
  private static let prefix = "lv2:"

  /// - Parameter text: A URI of a plugin, or one with a preset.
  /// - Throws: ``LV2Error`` if the plugin is not installed, or cannot be played, or has no such preset.
  package init(_ text: String) throws(LV2Error) {
    do throws(LV2Error) {
      source = try LV2Source(text)
    } catch {
      // A URI may have a `#` itself.
      guard case .notInstalled = error, let mark = text.lastIndex(of: "#") else { throw error }
      source = try LV2Source(
        String(text[..<mark]), preset: String(text[text.index(after: mark)...]))
    }
  }

  /// Whether a text names a plugin, not a port.
  package static func isPrefixed(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// - Parameter text: A text such as `lv2:http://example.org/organ`.
  /// - Returns: `nil` if the text names no plugin.
  /// - Throws: As ``init(_:)``.
  package init?(prefixed text: String) throws(LV2Error) {
    guard Self.isPrefixed(text) else { return nil }
    try self.init(String(text.dropFirst(Self.prefix.count)))
  }

  /// - Throws: ``Failure`` if the plugin does not take what a kind of port takes.
  package func check(_ kind: NodeFinder.Kind) throws(Failure) {
    if kind.includes(plugin.portType) { return }
    throw .usage(
      "'\(plugin.name)' is \(plugin.portType == .effect ? "an" : "a") \(plugin.portType) and cannot be used as "
        + "\(kind.rawValue): choose another plugin")
  }

  /// The selection as text.
  package var text: String { plugin.uri + (preset.map { "#\($0)" } ?? "") }
}
