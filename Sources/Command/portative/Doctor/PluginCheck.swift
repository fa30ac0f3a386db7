import LocalSystem
import PluginBundles

/// Checks whether the installed plugins list the presets of the SoundFonts that their ports play.
enum PluginCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    ExpectedPresets.missingSoundFonts(from: PluginFolders.all(environment), in: environment).map {
      .warning(
        "plugins", "they list other presets than those of \($0), which they play",
        remedy: "install them again: portative lv2 install")
    }
  }
}
