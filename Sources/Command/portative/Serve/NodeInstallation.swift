import Glibc
import LocalSystem
import NodeDirectory
import SoundDevices

/// Installs a node so that hosts can start it: writes the user's manifest for it.
struct NodeInstallation {
  let manifest: NodeManifest
  private let folder: String
  private let isQuiet: Bool

  /// - Throws: ``Failure`` if there is no folder for the manifest, or if the node's name or the ports are invalid.
  init(
    _ options: ServeOptions, _ plan: ServePlan, in environment: ProcessEnvironment = .current
  ) throws(Failure) {
    guard let executable = environment.executable else {
      throw Failure(.failed, "cannot tell where this program is: is /proc mounted?")
    }
    guard let folder = NodeDirectories(environment).manifests.first else {
      throw Failure(.failed, "there is no folder for the manifest: set HOME or XDG_DATA_HOME")
    }
    self.folder = folder
    isQuiet = options.isQuiet
    do throws(ManifestError) {
      manifest = try NodeManifest(
        name: options.node, command: [executable, "serve"] + Self.words(options),
        ports: plan.ports.map(\.description), chains: plan.chains)
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  func run() throws(Failure) -> ExitCode {
    do throws(ManifestError) {
      try manifest.write(to: folder)
    } catch {
      throw Failure(.outputNotWritten, error.description)
    }
    if isQuiet { return .done }
    return Command.say(
      """
      Wrote \(folder)/\(manifest.name).json: hosts now start the node '\(manifest.name)'
      when they need one of its ports. Run this again when the configuration has other
      ports; remove the file to undo it.

      """)
  }

  /// Returns the options to start the node with. Paths are absolute because a host may start it from any folder.
  private static func words(_ options: ServeOptions) -> [String] {
    var words: [String] = []
    if let file = options.configuration { words += ["--config", absolute(file)] }
    if let file = options.soundFont { words += ["--soundfont", absolute(file)] }
    words += options.sound.words
    if options.keyboards != .alsa { words += ["--midi", options.keyboards.rawValue] }
    if options.node != ServeOptions.defaultNode { words += ["--name", options.node] }
    return words
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(platformString: folder))/\(path)"
  }

  /// Returns the failure for ports that differ from the manifest.
  static func failure(_ error: PublishError, _ options: ServeOptions) -> Failure {
    Failure(.failed, "\(error); or let '\(command(options))' write the manifest anew")
  }

  /// Returns the command that writes the manifest.
  private static func command(_ options: ServeOptions) -> String {
    let words = words(options).map { $0.contains(" ") ? "'\($0)'" : $0 }
    return (["portative", "serve"] + words + ["--install"]).joined(separator: " ")
  }
}
