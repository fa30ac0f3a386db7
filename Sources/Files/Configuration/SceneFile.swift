import LocalSystem

/// A configuration file in which scenes are saved. What a scene has already stays as the user has written it.
struct SceneFile {
  private(set) var document: JSON5Document
  private let settings: Settings
  /// Completes the path of a SoundFont.
  private let resolve: (String) -> String

  /// - Parameters:
  ///   - document: The file.
  ///   - resolve: Completes the path of a SoundFont in the file.
  init(
    _ document: JSON5Document, resolve: @escaping (String) -> String
  ) throws(JSON5File.Failure) {
    self.document = document
    self.resolve = resolve
    settings = try document.decode(Settings.self)
  }

  /// The number of scenes.
  var count: Int { scenes.count }

  private var scenes: [SceneSettings] { settings.scenes ?? [] }

  /// The index of the scene of a name; `nil` if there is none.
  func index(of name: String) -> Int? { scenes.firstIndex { $0.name == name } }

  /// Adds a scene. If the file has a set list, the scene becomes its last.
  mutating func add(_ scene: SceneSettings) throws(JSON5File.Failure) {
    let json = Configuration.json(writingPaths(of: scene))
    if settings.scenes == nil {
      document = try document.setting("[\(json)]", at: [.field("scenes")])
    } else {
      document = try document.setting(json, at: [.field("scenes"), .element(scenes.count)])
    }
    if let list = settings.setList {
      document = try document.setting(
        Configuration.json(scene.name), at: [.field("setList"), .element(list.count)])
    }
  }

  /// Replaces the ports of a scene. Ports and zones that have not changed, and comments, remain as they are.
  mutating func replacePorts(ofSceneAt index: Int, by scene: SceneSettings)
    throws(JSON5File.Failure)
  {
    let path = [JSON5Step.field("scenes"), .element(index), .field("ports")]
    let (old, new) = (scenes[index], writingPaths(of: scene))
    guard document.contains(path) else {
      document = try document.setting(Configuration.json(new.ports), at: path)
      return
    }
    for name in old.ports.keys.sorted() where new.ports[name] == nil {
      document = try document.removing(path + [.field(name)])
    }
    for (name, port) in new.ports.sorted(by: { $0.key < $1.key }) {
      try merge(port, old.ports[name], at: path + [.field(name)])
    }
  }

  private mutating func merge(
    _ port: ScenePortSettings, _ old: ScenePortSettings?, at path: [JSON5Step]
  ) throws(JSON5File.Failure) {
    let (before, after) = (old.map(resolved)?.filledZones ?? [], resolved(port).filledZones)
    if before == after { return }
    // What the port says for all zones would hold for the new ones.
    guard let old, old.zones?.isEmpty == false, old.sound == SoundSettings() else {
      document = try document.merging(Configuration.json(port), at: path)
      return
    }
    for index in before.indices.dropFirst(after.count).reversed() {
      document = try document.removing(path + [.field("zones"), .element(index)])
    }
    for index in after.indices where index >= before.count || before[index] != after[index] {
      document = try document.merging(
        Configuration.json(port.filledZones[index]),
        at: path + [.field("zones"), .element(index)])
    }
  }

  private func resolved(_ port: ScenePortSettings) -> ScenePortSettings {
    port.resolvingPaths(resolve)
  }

  /// Returns a scene with the paths as the file has them, if it has them.
  private func writingPaths(of scene: SceneSettings) -> SceneSettings {
    let texts = Dictionary(soundFonts.map { (resolve($0), $0) }) { first, _ in first }
    var scene = scene
    scene.ports = scene.ports.mapValues { $0.resolvingPaths { texts[$0] ?? $0 } }
    return scene
  }

  /// The paths of SoundFonts in the file.
  private var soundFonts: [String] {
    var paths = [settings.soundfont]
    for port in settings.ports ?? [] {
      paths.append(port.soundfont)
      paths += (port.zones ?? []).map(\.sound.soundfont)
    }
    for port in scenes.flatMap(\.ports.values) {
      paths.append(port.sound.soundfont)
      paths += (port.zones ?? []).map(\.sound.soundfont)
    }
    return paths.compactMap(\.self)
  }
}
