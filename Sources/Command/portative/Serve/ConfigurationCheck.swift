import Configuration
import LocalSystem
import NodeDirectory

/// Checks whether a server could publish its configuration, for `serve --check`, which publishes nothing.
struct ConfigurationCheck {
  private let plan: ServePlan
  private let options: ServeOptions

  init(_ plan: ServePlan, _ options: ServeOptions) {
    self.plan = plan
    self.options = options
  }

  /// - Throws: ``Failure`` if a server would not start with the configuration.
  func run() throws(Failure) -> ExitCode {
    // Presets and parameters can be checked only after a SoundFont has been loaded.
    Terminal.silenceGLib()
    for index in plan.ports.indices { _ = try plan.load(index) }
    try checkManifest()
    return options.isQuiet ? .done : Command.say(text)
  }

  private func checkManifest() throws(Failure) {
    do {
      let manifest = try NodeManifest.find(options.node, in: NodeDirectories())
      try manifest?.check(published: plan.ports.map(\.description))
    } catch let error as PublishError {
      throw NodeInstallation.failure(error, options)
    } catch {
      throw Failure(.failed, "\(error)")
    }
  }

  private var text: String {
    let files = plan.files.isEmpty ? "no configuration file: built-in ports" : list(plan.files)
    let soundFont = plan.soundFont.map { "SoundFont: \($0.path) (\($0.origin))\n" } ?? ""
    let rows = plan.ports.map { port in
      [port.description.name, port.description.component.description, port.unit.name]
    }
    return "\(files)\n\(soundFont)" + Columns.text([["PORT", "COMPONENT", "UNIT"]] + rows)
  }

  private func list(_ files: [String]) -> String { files.joined(separator: ", then ") + ": usable" }
}
