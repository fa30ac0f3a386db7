import FoundationEssentials
import Glibc
package import LocalSystem

extension Configuration {
  /// Reads zones in the notation of a configuration file: a list, as in `zones`.
  ///
  /// - Parameter environment: Completes the paths of SoundFonts. Relative ones begin at the folder of the file that has
  ///   the scenes.
  /// - Throws: ``ConfigurationError`` at the location in the text.
  package func zones(
    _ text: String, _ environment: ProcessEnvironment
  ) throws(ConfigurationError) -> [ZoneSettings] {
    do throws(JSON5File.Failure) {
      let document = try JSON5Document(Array(text.utf8))
      if let field = document.unknownFields(in: .list(of: ZoneSettings.shape)).first {
        throw JSON5File.Failure(
          reason: "there is no setting '\(field.name)'", location: field.location)
      }
      let path = scenesPath(environment)
      return try document.decode([ZoneSettings].self).map { zone in
        zone.resolvingPaths { Self.path($0, besides: path, environment) }
      }
    } catch {
      throw ConfigurationError(file: "the zones", error)
    }
  }

  /// Returns zones in the notation of a configuration file.
  package static func text(_ zones: [ZoneSettings]) -> String {
    JSON5Document.formatted(json(zones))
  }

  /// Completes the path of a SoundFont in a configuration file.
  private static func path(
    _ text: String, besides file: String?, _ environment: ProcessEnvironment
  ) -> String {
    let folder = file.map { String($0.prefix(upTo: $0.lastSlash ?? $0.startIndex)) } ?? ""
    return environment.path(text, relativeTo: folder.isEmpty ? "." : folder)
  }

  /// The file in which scenes are saved; `nil` if there is no home folder for it.
  package func scenesPath(_ environment: ProcessEnvironment) -> String? {
    scenesFile?.path ?? givenFile ?? Self.files(environment).first
  }

  /// Adds a scene to the configuration file, or replaces one. The rest of the file, with its comments, remains, also the
  /// ports and zones of a replaced scene that have not changed. Paths of SoundFonts are written as the file has them
  /// elsewhere. If the file has a set list, a new scene becomes its last.
  ///
  /// - Parameter replaces: Whether to replace a scene of the same name.
  /// - Returns: The path of the file.
  /// - Throws: ``Failure`` if the scene has no valid name, or if the file would have too many scenes or bytes to be read
  ///   again; ``ConfigurationError`` if the file has become invalid. The file has not been changed then.
  package func save(
    _ scene: SceneSettings, replaces: Bool, _ environment: ProcessEnvironment
  ) throws -> String {
    try SceneSettings.check(name: scene.name)
    guard let path = scenesPath(environment) else {
      throw Failure(
        .failed, "there is no folder for the configuration: set HOME or XDG_CONFIG_HOME")
    }
    // The target of a symbolic link, because writing would replace the link.
    let target = resolvedPath(path) ?? path
    do {
      let lock = try FolderLock(String(target.folderAndName.folder))
      defer { withExtendedLifetime(lock) {} }
      let document = try Self.adding(scene, to: target, replaces) {
        Self.path($0, besides: path, environment)
      }
      try JSON5File.write(document, to: target, mode: Self.permissions(of: target))
    } catch let error as WholeFile.Failure {
      throw Failure(.outputNotWritten, "the scene cannot be saved in '\(path)': \(error)")
    }
    return path
  }

  /// Returns the configuration file at a path with a scene more.
  private static func adding(
    _ scene: SceneSettings, to path: String, _ replaces: Bool,
    resolve: @escaping (String) -> String
  ) throws -> JSON5Document {
    do {
      // The file may have been edited since it was loaded.
      let document = try JSON5File.document(at: path) ?? JSON5Document(Array("{\n}\n".utf8))
      var file = try SceneFile(document, resolve: resolve)
      if let index = file.index(of: scene.name) {
        if !replaces {
          throw Failure(.usage, "there is a scene '\(scene.name)': add --replace to replace it")
        }
        try file.replacePorts(ofSceneAt: index, by: scene)
      } else if file.count >= SceneSettings.maximumCount {
        throw Failure(
          .usage,
          "'\(path)' has \(file.count) scenes, and can have at most \(SceneSettings.maximumCount): replace one with "
            + "--replace, or remove one")
      } else {
        try file.add(scene)
      }
      // What is written must be readable.
      _ = try file.document.decode(Settings.self)
      return file.document
    } catch let error as JSON5File.Failure {
      throw ConfigurationError(file: path, error)
    }
  }

  static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails for numbers that are not finite only, and settings have none.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  /// The permissions of a file; those of new files if there is none.
  private static func permissions(of path: String) -> mode_t {
    var status = stat()
    return stat(path.platformString, &status) == 0 ? status.st_mode & 0o777 : 0o666
  }
}

/// A lock on the files of a folder, which leaves no file behind. Held until the object is freed.
private final class FolderLock {
  private let descriptor: CInt

  /// Waits for the lock. Creates the folder if it does not exist.
  init(_ folder: String) throws(WholeFile.Failure) {
    let path = folder.isEmpty ? "." : folder
    try Folder.create(path, mode: 0o700)
    descriptor = open(path.platformString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 || flock(descriptor, LOCK_EX) != 0 { throw WholeFile.Failure(code: errno) }
  }

  deinit { close(descriptor) }
}
