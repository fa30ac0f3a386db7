import Configuration
import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization

/// Chooses scenes: what keyboards play on the ports of a server.
///
/// A scene whose sounds are ready acts from the next message of a keyboard on. The sounds of the scenes around the current
/// one in the set list are made ahead; others are made first, while the previous scene is still played.
///
/// Threads: any.
final class SceneControl: Sendable {
  private let observer: any ServerObserver
  private let environment: ProcessEnvironment
  /// Returns the MIDI output of a name; `nil` if it cannot be used.
  private let output: @Sendable (String) -> (any MIDIDestination)?
  private let state = Mutex(State())
  /// Loads the configuration again after a scene has been saved.
  private let reload = Mutex<(@Sendable () throws -> Void)?>(nil)
  /// Follows the songs of the scenes that are chosen.
  private let songFollower = Mutex<(@Sendable (SceneSong, _ next: SceneSong?) -> Void)?>(nil)

  struct State {
    var scenes = LoadedScenes()
    /// The index of the current scene; `nil`: none has been chosen.
    var current: Int?
    /// The position of the current scene in the set list.
    var position: Int?
    var ports: [PortZones] = []
    /// The ports whose sounds are being made, so that they still play the previous scene.
    var waiting: Set<Int> = []
    /// What the player transposes, in semitones, besides the scene.
    var transposition = 0
    /// Increased with every change, so that a slow one does not undo a later one.
    var change = 0

    var scene: LoadedScenes.Scene? { current.map { scenes.scenes[$0] } }

    var name: String? { scene?.name }

    /// The next scene of the set list; `nil` at its end.
    var nextScene: LoadedScenes.Scene? {
      let place = (position ?? -1) + 1
      return scenes.setList.indices.contains(place) ? scenes.scenes[scenes.setList[place]] : nil
    }

    var next: String? { nextScene?.name }

    /// The transposition of all ports, in semitones.
    var shift: Int { transposition + (scene?.transposition ?? 0) }

    /// The zones of a port; `nil`: the port's unit plays everything.
    func zones(of port: PortZones) -> [LoadedZone]? {
      let name = port.served.name
      return port.live ?? current.flatMap { scenes.scenes[$0].zones[name] } ?? port.standard
    }
  }

  /// The number of sounds of a port that are made ahead. A unit of a synthesizer takes about 7 MB.
  static let soundsAhead = 16

  /// - Parameter output: Returns the MIDI output of a name; `nil` if it cannot be used.
  init(
    in environment: ProcessEnvironment,
    output: @escaping @Sendable (String) -> (any MIDIDestination)? = { _ in nil },
    _ observer: any ServerObserver
  ) {
    self.environment = environment
    self.output = output
    self.observer = observer
  }

  /// Sets what loads the configuration again after a scene has been saved.
  func onSave(_ reload: @escaping @Sendable () throws -> Void) {
    self.reload.withLock { $0 = reload }
  }

  /// Sets what follows the songs of the scenes that are chosen, and gets that of the next scene. Must return soon.
  func onSong(_ follow: @escaping @Sendable (SceneSong, _ next: SceneSong?) -> Void) {
    songFollower.withLock { $0 = follow }
  }

  /// Loads the configuration again, because it has been changed.
  private func loadSaved() throws { try reload.withLock { $0 }?() }

  /// Replaces all scenes and ports. The current scene remains, if there is still one of its name.
  ///
  /// - Parameter zones: The zones of the configuration, by the name of the port.
  func update(_ scenes: LoadedScenes, _ ports: [ServedPort], zones: [String: [LoadedZone]]) {
    state.withLock { state in
      let name = state.name
      state.scenes = scenes
      state.current = name.flatMap { name in scenes.scenes.firstIndex { $0.name == name } }
      state.position = state.current.flatMap { scenes.setList.firstIndex(of: $0) }
      state.ports = ports.map { port in
        var zones = PortZones(port, zones[port.name])
        if let earlier = state.ports.first(where: { $0.served.published === port.published }) {
          zones.takeState(of: earlier)
        }
        return zones
      }
      play(&state)
    }
  }

  var list: SceneList {
    state.withLock { state in
      let names = state.scenes.scenes.map(\.name)
      let setList = state.scenes.setList
      let others = names.indices.filter { !setList.contains($0) }
      return SceneList(
        names: (setList + others).map { names[$0] }, setListCount: setList.count,
        current: state.name, next: state.next, transposition: state.shift,
        text: state.scene?.text)
    }
  }

  /// The current scene for display; `nil` if there are no scenes.
  var status: ServerStatus.Scene? {
    state.withLock { state in
      if state.scenes.scenes.isEmpty { return nil }
      let setList = state.scenes.setList
      // A scene that was chosen by name need not be in the set list.
      let place = state.position.flatMap { place in
        setList.indices.contains(place) && setList[place] == state.current ? place + 1 : nil
      }
      var scene = ServerStatus.Scene(name: state.name, place: place, count: setList.count)
      scene.next = state.next
      scene.text = state.scene?.text
      return scene
    }
  }

  /// The transposition of all ports, by the scene and the player, in semitones.
  var transposition: Int { state.withLock { $0.shift } }

  /// The greatest transposition by the player, in semitones up and down.
  static let farthest = 36
  /// The largest step of a request, in semitones up and down.
  static let largestStep = 12

  /// Transposes all ports, besides the transposition of the scene. Held notes remain.
  ///
  /// - Returns: The transposition by the scene and the player, in semitones.
  @discardableResult
  func transpose(_ change: Transposition) -> Int {
    let shift = state.withLock { state in
      let wanted =
        switch change {
        case .by(let semitones): state.transposition + semitones
        case .to(let semitones): semitones
        }
      state.transposition = max(-Self.farthest, min(Self.farthest, wanted))
      play(&state)
      return state.shift
    }
    observer.log("transposition: \(shift > 0 ? "+" : "")\(shift)")
    return shift
  }

  /// Whether the current scene is played on all ports, because its sounds have been made.
  var isPlayed: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Whether the sounds of the nearest scenes are loaded too.
  var isAhead: Bool { state.withLock { $0.ports.allSatisfy { $0.ready == $0.wanted } } }

  /// Chooses a scene.
  ///
  /// - Parameter playsSong: Whether the song follows the scene.
  /// - Returns: Its name.
  /// - Throws: ``Failure`` if there is no such scene, or if it cannot be played. The current scene remains then.
  @discardableResult
  func choose(_ choice: SceneChoice, playsSong: Bool = true) throws(Failure) -> String {
    typealias Chosen = (name: String, song: SceneSong, next: SceneSong?)
    let result = state.withLock { state -> Result<Chosen, Failure> in
      do throws(Failure) {
        try find(choice, &state)
        for index in state.ports.indices { state.ports[index].live = nil }
        send(state.scene?.sent ?? [])
        play(&state, held: state.scene?.held ?? .hold)
        return .success(
          (state.name ?? "", state.scene?.song ?? SceneSong(), state.nextScene?.song))
      } catch {
        return .failure(error)
      }
    }
    let (name, song, next) = try result.get()
    observer.log("scene: \(name)")
    if playsSong { songFollower.withLock { $0 }?(song, next) }
    return name
  }

  /// Chooses a scene for a player who is not waiting for an answer. An error is logged.
  func play(_ choice: SceneChoice) {
    do throws(Failure) {
      try choose(choice)
    } catch {
      observer.log(error: error.message)
    }
  }

  private func find(_ choice: SceneChoice, _ state: inout State) throws(Failure) {
    let (scenes, setList) = (state.scenes.scenes, state.scenes.setList)
    if scenes.isEmpty {
      throw Failure(.usage, "there are no scenes: add 'scenes' to the configuration")
    }
    switch choice {
    case .named(let name):
      try SceneSettings.check(name: name)
      let index = try SceneSearch(names: scenes.map(\.name)).index(of: name)
      if let problem = scenes[index].problem { throw Failure(.failed, problem) }
      state.current = index
      // Of a scene that is played several times, the next place counts.
      let places = setList.indices.filter { setList[$0] == index }
      state.position = places.first { $0 > state.position ?? -1 } ?? places.first ?? state.position
    case .step(let step):
      var position = state.position ?? (step > 0 ? -1 : setList.count)
      repeat {
        position += step
      } while setList.indices.contains(position)
        && scenes[setList[position]].problem != nil
      guard setList.indices.contains(position) else {
        throw Failure(
          .failed, "'\(state.name ?? "")' is the \(step > 0 ? "last" : "first") scene")
      }
      state.position = position
      state.current = setList[position]
    case .place(let place):
      guard setList.indices.contains(place) else {
        throw Failure(
          .usage, "there is no scene \(place + 1): the set list has \(setList.count)")
      }
      if let problem = scenes[setList[place]].problem { throw Failure(.failed, problem) }
      state.position = place
      state.current = setList[place]
    }
  }

  /// Sends to a module what the current scene has for it, because it has just been connected.
  func sendSettings(toOutput name: String) {
    state.withLock { send(($0.scene?.sent ?? []).filter { $0.output == name }) }
  }

  private func send(_ sent: [SentMessages]) {
    for sent in sent {
      guard let output = output(sent.output) else { continue }
      for message in sent.messages { output.send(.channel(message)) }
    }
  }

  /// Plays the current scene.
  ///
  /// - Parameter held: What becomes of held notes.
  private func play(_ state: inout State, held: HeldNotePolicy = .hold) {
    state.change += 1
    state.waiting = []
    for index in state.ports.indices { play(&state, portAt: index, held) }
  }

  private func play(_ state: inout State, portAt index: Int, _ held: HeldNotePolicy) {
    let input = state.ports[index].served.published.input
    let loaded = state.zones(of: state.ports[index])
    let zones = state.ports[index].zones(loaded, shift: state.shift)
    let outputs = state.ports[index].outputs(loaded, output)
    let heard = Set((zones ?? []).map(\.sound)).subtracting([0]).subtracting(outputs.keys)
    let played = state.ports[index].served.devices.played
    // Without a sound device, hosts and modules are played.
    let isReady = played == nil || heard.isSubset(of: state.ports[index].ready)
    if isReady { input.setZones(zones, held: held, outputs: outputs) }
    guard let played else { return }
    let sounds = state.ports[index].choose(sounds(for: state.ports[index], state))
    let numbers = Set(sounds.map(\.number))
    state.ports[index].wanted = numbers
    if isReady, numbers == state.ports[index].ready {
      return played.setPlayedSounds(heard)
    }
    let change = state.change
    if !isReady { state.waiting.insert(index) }
    played.setSounds(sounds) { [weak self] in
      self?.state.withLock { state in
        guard state.change == change, state.ports.indices.contains(index) else { return }
        state.ports[index].ready = numbers
        state.waiting.remove(index)
        if !isReady { input.setZones(zones, held: held, outputs: outputs) }
      }
    }
    played.setPlayedSounds(heard)
  }

  /// Returns the sounds that a port needs now, or may need soon.
  private func sounds(for port: PortZones, _ state: State) -> [LoadedSound] {
    let name = port.served.name
    func sounds(_ zones: [LoadedZone]?) -> [LoadedSound] { (zones ?? []).compactMap(\.sound) }
    let (scenes, setList) = (state.scenes.scenes, state.scenes.setList)
    var result = sounds(state.zones(of: port))
    result += sounds(port.standard)
    // The nearest places first.
    let position = state.position ?? 0
    let places = (0..<setList.count).lazy.flatMap { [position + $0, position - $0] }
    for place in places where setList.indices.contains(place) {
      let more = sounds(scenes[setList[place]].zones[name])
      if Set((result + more).map(\.identity)).count > Self.soundsAhead { break }
      result += more
    }
    return result
  }
}

/// The zones that keyboards play now: they can be read, replaced and saved.
extension SceneControl {
  /// Returns the zones of a port in the notation of the configuration; `nil` if its unit plays everything.
  ///
  /// - Throws: ``Failure`` if there is no such port.
  func zones(of component: ComponentDescription) throws(Failure) -> String? {
    let found = state.withLock { state in
      state.ports.first { $0.served.published.description.component == component }.map {
        state.zones(of: $0)?.map(\.settings)
      }
    }
    guard let found else { throw Self.noPort(component) }
    return found.map { Configuration.text($0) }
  }

  /// Replaces the zones of a port until a scene is chosen.
  ///
  /// - Parameter text: The zones in the notation of the configuration; `nil`: those of the scene or the configuration.
  /// - Throws: ``Failure`` if the zones cannot be played. What is played now remains then.
  func setZones(_ text: String?, of component: ComponentDescription) throws(Failure) {
    let (found, configuration) = state.withLock { state in
      (
        state.ports.first { $0.served.published.description.component == component }?.served.loaded,
        state.scenes.configuration
      )
    }
    guard let found, let configuration else { throw Self.noPort(component) }
    let zones: [LoadedZone]?
    do {
      // Not under the lock: a SoundFont may take seconds to load.
      zones = try text.map {
        try ZoneLoader(port: found, outputs: configuration.outputs.map(\.name))
          .load(configuration.zones($0, environment))
      }
    } catch {
      if let setting = SettingError(error) {
        throw Failure(
          .inputUnusable,
          "the zones cannot be played: \(setting.field.map { "\($0) " } ?? "")\(setting.predicate)")
      }
      throw Failure(error)
    }
    let isPlayed = state.withLock { state in
      let index = state.ports.firstIndex { $0.served.published.description.component == component }
      // The port has been withdrawn, or loaded again with another SoundFont, in between.
      guard let index, state.ports[index].served.loaded == found else { return false }
      state.ports[index].live = zones
      play(&state)
      return true
    }
    if !isPlayed { throw Self.noPort(component) }
    observer.log(
      "\(found.plan.description.name): "
        + (zones.map { "\($0.count) \($0.count == 1 ? "zone" : "zones")" }
          ?? "the zones of the configuration"))
  }

  /// Saves what keyboards play on all ports as a scene in the configuration file, and chooses it.
  ///
  /// Ports that play what they play without a scene are left out. What has been set on the unit of a port since it was
  /// made is saved with its zones.
  ///
  /// - Parameter replaces: Whether to replace a scene of this name.
  /// - Returns: The file.
  /// - Throws: ``Failure`` if it cannot be saved. The file has not been changed then.
  func save(as name: String, replaces: Bool) throws(Failure) -> String {
    try SceneSettings.check(name: name)
    let (ports, configuration) = state.withLock { state in
      let ports = state.ports.map { ($0, state.zones(of: $0)?.map(\.settings)) }
      return (ports, state.scenes.configuration)
    }
    guard let configuration else { throw Failure(.failed, "there are no ports yet: try again") }
    do {
      var scene = SceneSettings(name: name, ports: [:])
      for (port, zones) in ports where port.served.published.description.component.type.takesMIDI {
        let set = try SetByPlayers(port.served)
        if set.isEmpty, zones == port.standard?.map(\.settings) { continue }
        let all = (zones ?? [ZoneSettings()]).map { set.adding(to: $0) }
        scene.ports[port.served.name] = ScenePortSettings(zones: all)
      }
      let file = try configuration.save(scene, replaces: replaces, environment)
      observer.log("scene '\(name)' saved in \(file)")
      try loadSaved()
      try choose(.named(name), playsSong: false)
      return file
    } catch {
      throw Failure(error)
    }
  }

  private static func noPort(_ component: ComponentDescription) -> Failure {
    Failure(.usage, "this node has no port '\(component)'")
  }
}

/// The settings that players have made on a port since its unit was made.
struct SetByPlayers {
  private var parameters: [String: Double] = [:]
  private var preset: PresetName?
  private var soundFont: String?

  fileprivate var isEmpty: Bool { parameters.isEmpty && preset == nil && soundFont == nil }

  init(_ port: ServedPort) throws {
    let published = port.published
    let unit = try published.unit ?? published.makePlayerUnit()
    let fresh = try port.loaded.localSource.makeUnit(
      Format(inputChannels: port.loaded.plan.type.takesAudio ? 2 : 0))
    let (standard, all) = (fresh.parameters?.all ?? [:], unit.parameters?.all ?? [:])
    for (identifier, value) in all {
      // The unit of a host may have parameters that the sounds of zones do not have.
      guard let usual = standard[identifier], value != usual else { continue }
      // By way of the text, so that 0.4 is not 0.4000000059604645.
      parameters[identifier] = Double("\(value)")
    }
    let changed = ["preset.bank", "preset.program"].compactMap {
      parameters.removeValue(forKey: $0)
    }
    if !changed.isEmpty, let bank = all["preset.bank"], let program = all["preset.program"] {
      preset = .number(bank: Int(bank), program: Int(program))
    }
    let file = unit.files.references["soundfont"]?.path
    if file != fresh.files.references["soundfont"]?.path { soundFont = file }
  }

  /// Returns the settings of a zone with what has been set.
  fileprivate func adding(to zone: ZoneSettings) -> ZoneSettings {
    if isEmpty { return zone }
    var zone = zone
    // Zones with sounds of their own have their own SoundFonts and presets.
    if zone.sound.soundfont == nil, zone.sound.preset == nil {
      zone.sound.soundfont = soundFont
      zone.sound.preset = preset
    }
    if !parameters.isEmpty {
      zone.sound.parameters = (zone.sound.parameters ?? [:]).merging(parameters) { $1 }
    }
    return zone
  }
}
