package import LV2Host
package import LocalSystem
package import NodeProtocol

/// An LV2 plugin that a user has named, with one of its presets, and with the files that it plays.
///
/// It is written as the plugin's URI, which `#` and the name of a preset may follow, and then `?NAME=FILE` for each file:
/// `http://example.org/sampler#Full?sample=bell.wav`.
package struct PluginSelection: Equatable, Sendable {
  package var plugin: LV2Plugin { source.plugin }
  /// `nil`: the plugin's defaults.
  package var preset: String? { source.preset }
  /// What makes units of the plugin in this process.
  package let source: LV2Source

  /// What names a plugin where ports and SoundFonts can be named, too.
  private static let prefix = "lv2:"

  /// - Parameter text: A plugin, as above. Relative paths begin at the working folder.
  /// - Throws: ``LV2Error`` if the plugin is not installed, or cannot be played, or has no such preset, file or text.
  package init(_ text: String) throws(LV2Error) {
    let parts = text.split(separator: "?", omittingEmptySubsequences: false).map(String.init)
    var (name, settings): (String, [String]) = (parts[0], [])
    for part in parts.dropFirst() {
      if let mark = part.firstIndex(of: "="), mark > part.startIndex {
        settings.append(part)
      } else if settings.isEmpty {
        name += "?" + part
      } else {
        settings[settings.count - 1] += "?" + part
      }
    }
    var properties: [String: String] = [:]
    for setting in settings {
      let words = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      properties[String(words[0])] = String(words[1])
    }
    do throws(LV2Error) {
      source = try LV2Source(name, properties: properties)
    } catch {
      // A URI may have a `#` itself.
      guard case .notInstalled = error, let mark = name.lastIndex(of: "#") else { throw error }
      source = try LV2Source(
        String(name[..<mark]), preset: String(name[name.index(after: mark)...]),
        properties: properties)
    }
  }

  package init(_ source: LV2Source) { self.source = source }

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

  /// The selection as text, with absolute paths.
  package var text: String {
    source.properties.sorted { $0.key < $1.key }.reduce(
      plugin.uri + (preset.map { "#\($0)" } ?? "")
    ) { "\($0)?\($1.key)=\($1.value)" }
  }
}
