import Configuration
import LocalSystem
import PluginNodes

/// The ports that a server publishes, and how they are played while no host uses them.
package struct ServerSettings: Equatable, Sendable {
  /// The name of the node.
  package var node = Self.defaultNode
  /// The configuration file; `nil` for the user's and the system's.
  package var configuration: String?
  /// The SoundFont of ports that name none; `nil` to search for it.
  package var soundFont: String?
  /// The LV2 plugins to publish instead of the ports of the configuration, as ``PluginSelection`` names them.
  package var plugins: [String] = []
  /// The sound device of the ports that no host uses.
  package var sound = SoundChoice()
  /// Whether keyboards play the ports.
  package var usesKeyboards = true

  /// Whether the ports follow the Link session of the local network while no host uses them.
  package var followsLink = false

  /// The seconds without a host and a keyboard after which the server ends; `nil` for never.
  package var unusedLimit: Double?

  /// The audio file to which the server records what is heard; `nil` to record nothing.
  package var recording: String?

  package static let defaultNode = "portative"

  package init() {}
}

extension ServerSettings {
  /// The options of `portative serve` for these settings; defaults are omitted. Paths are absolute because a host may
  /// start the node from any folder.
  package var arguments: [String] {
    var arguments: [String] = []
    if let configuration { arguments += ["--config", absolutePath(configuration)] }
    if let soundFont { arguments += ["--soundfont", absolutePath(soundFont)] }
    // A plugin that cannot be played now may be installed later.
    arguments += plugins.flatMap { ["--lv2", (try? PluginSelection($0))?.text ?? $0] }
    arguments += sound.arguments
    if !usesKeyboards { arguments += ["--midi", "none"] }
    if node != Self.defaultNode { arguments += ["--name", node] }
    if followsLink { arguments.append("--link") }
    if let unusedLimit { arguments += ["--until-unused", OptionValue.brief(unusedLimit)] }
    return arguments
  }

  /// The options of `portative serve` when a host starts it: the same, but it ends when it is not used any more.
  var launchedArguments: [String] {
    var settings = self
    settings.unusedLimit = unusedLimit ?? Self.launchedUnusedLimit
    return settings.arguments
  }

  /// The ``unusedLimit`` of servers that hosts start.
  private static let launchedUnusedLimit = 60.0

  /// The command that writes the node's manifest, for a shell.
  var installCommand: String {
    let words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }
    return (["portative", "serve"] + words + ["--install"]).joined(separator: " ")
  }
}
