import LocalSystem
import SoundDevices

extension ServerSettings {
  /// The options of `portative serve` for these settings; defaults are omitted. Paths are absolute because a host may
  /// start the node from any folder.
  package var arguments: [String] {
    var arguments: [String] = []
    if let configuration { arguments += ["--config", absolutePath(configuration)] }
    if let soundFont { arguments += ["--soundfont", absolutePath(soundFont)] }
    arguments += sound.arguments
    if !usesKeyboards { arguments += ["--midi", "none"] }
    if node != Self.defaultNode { arguments += ["--name", node] }
    return arguments
  }

  /// The command that writes the node's manifest, for a shell.
  var installCommand: String {
    let words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }
    return (["portative", "serve"] + words + ["--install"]).joined(separator: " ")
  }
}
