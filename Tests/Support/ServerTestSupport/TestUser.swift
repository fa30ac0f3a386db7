import LocalSystem
package import PortativeServer
package import TestSupport

/// A user's folders, and the settings of a server that uses no keyboards and no sound device.
package final class TestUser {
  package let system = TemporarySystem()
  package var settings = ServerSettings()

  package var file: String { "\(system.root)/config/portative/config.json" }

  package init() {
    system.environment.variables = [
      "HOME": system.root, "PORTATIVE_SOUNDFONT": bundledSoundFont,
      "XDG_CONFIG_HOME": "\(system.root)/config", "XDG_DATA_HOME": "\(system.root)/data",
      "XDG_DATA_DIRS": "\(system.root)/system", "XDG_RUNTIME_DIR": "\(system.root)/run",
      "XDG_STATE_HOME": "\(system.root)/state",
    ]
    settings.sound.device = .none
    settings.usesKeyboards = false
  }

  /// Reads a configuration.
  ///
  /// - Parameter skips: Whether broken ports are left out.
  package func plan(
    _ configuration: String, skippingBrokenPorts skips: Bool = false, _ log: TestLog = TestLog()
  ) throws -> ServerPlan {
    try system.add("run/folder", "")
    try system.add("config/portative/config.json", configuration)
    return try ServerPlan(
      settings, in: system.environment, skipsBrokenPorts: skips, observer: log)
  }
}
