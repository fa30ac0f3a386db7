import Configuration
import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore

/// The scenes of a configuration, with their SoundFonts loaded.
struct LoadedScenes: Sendable {
  struct Scene: Sendable {
    let name: String
    /// The zones of each port, by the port's name. Other ports play as without a scene.
    let zones: [String: [LoadedZone]]
    /// In semitones.
    let transposition: Int
    /// What becomes of held notes when it is chosen.
    let held: HeldNotePolicy
    /// What the player wants to read; `nil` for nothing.
    let text: String?
    /// What modules receive when it is chosen, in order.
    let sent: [SentMessages]
    /// What becomes of the song.
    let song: SceneSong
    /// Why the scene cannot be played; `nil` if it can.
    let problem: String?
  }

  /// Where the scenes come from; `nil`: none has been loaded.
  private(set) var configuration: Configuration?
  var scenes: [Scene] = []
  /// The indices of scenes in the order in which they are played.
  var setList: [Int] = []

  init() {}

  /// Loads the scenes. A scene that cannot be played is reported, and remains in the list.
  ///
  /// - Throws: ``ConfigurationError`` if the configuration contradicts itself.
  init(
    _ configuration: Configuration, _ ports: [LoadedPort], _ observer: any ServerObserver
  ) throws(ConfigurationError) {
    self.configuration = configuration
    let settings = configuration.scenes
    let maximum = SceneSettings.maximumCount
    if settings.count > maximum {
      throw configuration.error(
        inScene: maximum,
        reason:
          "there are \(settings.count) scenes, but a server can have at most \(maximum): remove some"
      )
    }
    let outputs = configuration.outputs.map(\.name)
    let loaders = Dictionary(
      ports.map { ($0.plan.description.name, ZoneLoader(port: $0, outputs: outputs)) }
    ) { first, _ in first }
    for (index, scene) in settings.enumerated() {
      if scenes.contains(where: { $0.name == scene.name }) {
        throw configuration.error(
          inScene: index,
          reason: "there are two scenes '\(scene.name)': rename one of them")
      }
      scenes.append(try Self.load(scene, index, loaders, configuration, observer))
    }
    setList = try Self.setList(configuration, scenes)
  }

  private static func load(
    _ scene: SceneSettings, _ index: Int, _ loaders: [String: ZoneLoader],
    _ configuration: Configuration, _ observer: any ServerObserver
  ) throws(ConfigurationError) -> Scene {
    var zones: [String: [LoadedZone]] = [:]
    var problem: String?
    for (name, port) in scene.ports.sorted(by: { $0.key < $1.key }) {
      guard let loader = loaders[name] else {
        if configuration.ports?.contains(where: { $0.name == name }) ?? false {
          problem = "scene '\(scene.name)' cannot be played: the port '\(name)' is broken"
          continue
        }
        let hint = closest(to: name, among: Array(loaders.keys)).map { ": did you mean '\($0)'?" }
        throw configuration.error(
          inScene: index, port: name,
          reason: "scene '\(scene.name)': there is no port '\(name.quotable)'\(hint ?? "")")
      }
      do {
        zones[name] = try loader.load(port.filledZones)
      } catch {
        let setting = SettingError(error)
        let reason = setting.map { "\($0.field ?? "it") \($0.predicate)" } ?? Failure(error).message
        problem = "scene '\(scene.name)' cannot be played: \(reason)"
        let located = configuration.error(
          inScene: index, port: name, reason: problem ?? "")
        observer.log(error: located.description)
      }
    }
    let sent = (scene.send ?? []).map { SentMessages($0) }
    for messages in sent {
      do throws(SettingError) {
        try ZoneLoader.check(output: messages.output, among: configuration.outputs.map(\.name))
      } catch {
        throw configuration.error(
          inScene: index, reason: "scene '\(scene.name)': \(error.predicate)")
      }
    }
    return Scene(
      name: scene.name, zones: zones, transposition: scene.transpose ?? 0,
      held: HeldNotePolicy(scene.held ?? .hold), text: scene.text,
      sent: sent, song: SceneSong(scene), problem: problem)
  }

  private static func setList(
    _ configuration: Configuration, _ scenes: [Scene]
  ) throws(ConfigurationError) -> [Int] {
    guard let names = configuration.setList else { return Array(scenes.indices) }
    var list: [Int] = []
    for (index, name) in names.enumerated() {
      guard let scene = scenes.firstIndex(where: { $0.name == name }) else {
        let hint = closest(to: name, among: scenes.map(\.name)).map { ": did you mean '\($0)'?" }
        throw configuration.error(
          inSetList: index, reason: "there is no scene '\(name.quotable)'\(hint ?? "")")
      }
      list.append(scene)
    }
    return list
  }
}

/// What a module receives when a scene is chosen.
struct SentMessages: Sendable {
  /// The name of the MIDI output.
  let output: String
  let messages: [ChannelMessage]

  /// The bank and the program come first, because a program may reset controllers.
  init(_ settings: SentSettings) {
    output = settings.output
    let channel = UInt8((settings.channel ?? 1) - 1)
    let banks = zip([0, 32] as [UInt8], settings.bank ?? []).map {
      ChannelMessage(.controlChange, channel: channel, $0, UInt8($1))
    }
    let program = settings.program.map {
      [ChannelMessage(.programChange, channel: channel, UInt8($0))]
    }
    let controllers = settings.controllers.sorted { $0.key < $1.key }.map {
      ChannelMessage(.controlChange, channel: channel, $0, $1)
    }
    messages = banks + (program ?? []) + controllers
  }
}

extension HeldNotePolicy {
  fileprivate init(_ settings: SceneSettings.Held) {
    self =
      switch settings {
      case .hold: .hold
      case .end: .end
      case .next: .endAtNextNote
      }
  }
}
