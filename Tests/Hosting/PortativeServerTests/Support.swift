import LocalSystem
import PortativeServer
import SoundDevices
import Synchronization
import TestSupport

/// A user's folders, and the settings of a server that uses no keyboards and no sound device.
final class TestUser {
  let system = TemporarySystem()
  var settings = ServerSettings()

  var file: String { "\(system.root)/config/portative/config.json" }

  init() {
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
  func plan(_ configuration: String, _ log: TestLog = TestLog()) throws -> ServerPlan {
    try system.add("run/folder", "")
    try system.add("config/portative/config.json", configuration)
    return try ServerPlan(settings, in: system.environment, observer: log)
  }
}

/// The messages of a server.
final class TestLog: ServerObserver {
  private let lines = Mutex<[String]>([])

  var messages: [String] { lines.withLock { $0 } }

  func log(_ message: String) { lines.withLock { $0.append(message) } }
  func log(warning: String) { log("warning: \(warning)") }
  func log(error: String) { log("error: \(error)") }
}
