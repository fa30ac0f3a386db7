import LocalSystem

extension NodeManifest {
  /// Reads a manifest.
  ///
  /// - Parameter file: A path that ends in `NAME.json`.
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``ManifestError/unusable(file:reason:)`` with the file and the field.
  public static func read(_ file: String) throws(ManifestError) -> NodeManifest? {
    let fields: Fields?
    do {
      fields = try JSON5File.read(Fields.self, at: file)
    } catch {
      throw .unusable(file: file, reason: error.description)
    }
    guard let fields else { return nil }
    let name = file.folderAndName.name
    return try NodeManifest(
      name: String(name.hasSuffix(".json") ? name.dropLast(5) : name), command: fields.command,
      ports: fields.ports.map(\.description),
      chains: Dictionary(
        fields.ports.compactMap { port in port.nodes.map { (port.description.component, $0) } },
        uniquingKeysWith: { first, _ in first }),
      file: file)
  }

  /// Writes `NAME.json` into a folder, which is created if it does not exist. The file is replaced atomically: readers
  /// see the old or the new one.
  ///
  /// - Parameter folder: For a manifest of the user, the first of ``NodeDirectories/manifests``.
  /// - Throws: ``ManifestError/notWritten(file:reason:)``
  public func write(to folder: String) throws(ManifestError) {
    let file = "\(folder)/\(name).json"
    do {
      try NodeDirectories.create(folder, mode: 0o777)
    } catch {
      throw .notWritten(file: file, reason: error.description)
    }
    do {
      try JSON5File.write(
        Fields(
          command: command,
          ports: ports.map { Fields.Port(description: $0, nodes: chains[$0.component]) }),
        to: file)
    } catch {
      throw .notWritten(file: file, reason: error.description)
    }
  }
}

/// The file's JSON object.
private struct Fields: Codable {
  var manifest = NodeManifest.version
  var command: [String]
  var ports: [Port]

  /// The fields of the port description and `nodes`, in one object.
  struct Port: Codable {
    var description: PortDescription
    var nodes: [String]?

    private enum Key: String, CodingKey { case nodes }

    init(description: PortDescription, nodes: [String]?) {
      self.description = description
      self.nodes = nodes
    }

    init(from decoder: any Decoder) throws {
      description = try PortDescription(from: decoder)
      nodes = try decoder.container(keyedBy: Key.self).decodeIfPresent(
        [String].self, forKey: .nodes)
    }

    func encode(to encoder: any Encoder) throws {
      try description.encode(to: encoder)
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encodeIfPresent(nodes, forKey: .nodes)
    }
  }

  init(command: [String], ports: [Port]) {
    self.command = command
    self.ports = ports
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    // The version is checked first, because other versions may have other fields.
    let version = try fields.decode(Int.self, forKey: .manifest)
    if version != NodeManifest.version {
      throw decoder.invalidValue(
        "version \(version) is not supported, only version \(NodeManifest.version)",
        at: CodingKeys.manifest)
    }
    command = try fields.decode([String].self, forKey: .command)
    ports = try fields.decode([Port].self, forKey: .ports)
  }
}
