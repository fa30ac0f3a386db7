import LocalSystem

/// A well-formed configuration file.
struct SettingsFile: Sendable {
  let path: String
  let document: JSON5Document

  /// Reads a file.
  ///
  /// - Returns: `nil` if there is no such file.
  init?(_ path: String) throws(ConfigurationError) {
    self.path = path
    do throws(JSON5File.Failure) {
      guard let document = try JSON5File.document(at: path) else { return nil }
      self.document = document
    } catch {
      throw ConfigurationError(file: path, error)
    }
  }

  func settings() throws(ConfigurationError) -> Settings {
    do throws(JSON5File.Failure) {
      return try document.decode(Settings.self)
    } catch {
      throw ConfigurationError(file: path, error)
    }
  }

  var unknownFields: [Configuration.UnknownField] {
    document.unknownFields(in: Settings.shape).map { field in
      Configuration.UnknownField(
        file: path, line: field.location.line, column: field.location.column, path: field.path.text,
        name: field.name, known: field.known)
    }
  }
}

/// The fields of a configuration file.
struct Settings: Decodable {
  var soundfont: String?
  var ports: [PortSettings]?
  var midi: MIDISettings?
  var scenes: [SceneSettings]?
  var setList: [String]?
  var takes: TakeSettings?
  var controls: [ControlSettings]?
  var outputs: [OutputSettings]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case soundfont, ports, midi, scenes, setList, takes, controls, outputs
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self,
    [
      .ports: .list(of: PortSettings.shape),
      .midi: MIDISettings.shape,
      .scenes: .list(of: SceneSettings.shape),
      .takes: .object(TakeSettings.CodingKeys.self),
      .controls: .list(of: .object(ControlSettings.CodingKeys.self)),
      .outputs: .list(of: .object(OutputSettings.CodingKeys.self)),
    ])
}
