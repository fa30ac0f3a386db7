import LocalSystem

extension NodeManifest {
  /// - Parameter file: A path that ends in `NAME.json`.
  /// - Returns: `nil` where there is no such file.
  /// - Throws: ``ManifestError/unusable(file:reason:)``, which names the file and the field.
  public static func read(_ file: String) throws(ManifestError) -> NodeManifest? {
    let fields: Fields?
    do {
      fields = try JSON5File.read(Fields.self, at: file)
    } catch {
      throw .unusable(file: file, reason: error.reason)
    }
    guard let fields else { return nil }
    let name = file.folderAndName.name
    return try NodeManifest(
      name: String(name.hasSuffix(".json") ? name.dropLast(5) : name), command: fields.command,
      ports: fields.ports, file: file)
  }

  /// Writes `NAME.json` into a folder, which is made if it is not there. Whoever reads meanwhile
  /// finds the old file or the new one.
  ///
  /// - Parameter folder: For a user's own, the first of ``NodeDirectories/manifests``.
  /// - Throws: ``ManifestError/notWritten(file:reason:)``
  public func write(to folder: String) throws(ManifestError) {
    let file = "\(folder)/\(name).json"
    do {
      try NodeDirectories.create(folder, mode: 0o777)
    } catch {
      throw .notWritten(file: file, reason: error.description)
    }
    do {
      try JSON5File.write(Fields(command: command, ports: ports), to: file)
    } catch {
      throw .notWritten(file: file, reason: systemMessage(error.code))
    }
  }
}

/// The fields of the file, in its words.
private struct Fields: Codable {
  var manifest = NodeManifest.version
  var command: [String]
  var ports: [PortDescription]

  init(command: [String], ports: [PortDescription]) {
    self.command = command
    self.ports = ports
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    // The version first: another one may have other fields.
    let version = try fields.decode(Int.self, forKey: .manifest)
    if version != NodeManifest.version {
      throw decoder.refusal(
        "version \(version) is not understood, only \(NodeManifest.version)",
        at: CodingKeys.manifest)
    }
    command = try fields.decode([String].self, forKey: .command)
    ports = try fields.decode([PortDescription].self, forKey: .ports)
  }
}
