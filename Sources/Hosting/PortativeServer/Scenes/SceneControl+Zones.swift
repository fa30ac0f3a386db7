import Configuration
import LocalSystem
import NodeDirectory
import NodeServer
import Synchronization

/// What keyboards play now, as zones that can be read, replaced and saved.
extension SceneControl {
  /// Returns the zones of a port in the notation of the configuration; `nil` if its unit plays everything.
  ///
  /// - Throws: ``Failure`` if there is no such port.
  func zones(of component: ComponentDescription) throws(Failure) -> String? {
    let found = state.withLock { state in
      state.ports.first { $0.port.description.component == component }.map {
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
        state.ports.first { $0.port.description.component == component }?.loaded,
        state.scenes.configuration
      )
    }
    guard let found, let configuration else { throw Self.noPort(component) }
    let zones: [LoadedZone]?
    do {
      // Not under the lock: a SoundFont may take seconds to load.
      zones = try text.map {
        try ZoneLoader(port: found).load(configuration.zones($0, environment))
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
      let index = state.ports.firstIndex { $0.port.description.component == component }
      // The port has been withdrawn, or loaded again with another SoundFont, in between.
      guard let index, state.ports[index].loaded == found else { return false }
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
      for (port, zones) in ports where port.port.description.component.type.takesMIDI {
        let set = try SetByPlayers(port)
        if set.isEmpty, zones == port.standard?.map(\.settings) { continue }
        let all = (zones ?? [ZoneSettings()]).map { set.adding(to: $0) }
        scene.ports[port.port.description.name] = ScenePortSettings(zones: all)
      }
      let file = try configuration.save(scene, replaces: replaces, environment)
      observer.log("scene '\(name)' saved in \(file)")
      try loadSaved()
      try choose(.named(name))
      return file
    } catch {
      throw Failure(error)
    }
  }

  private static func noPort(_ component: ComponentDescription) -> Failure {
    Failure(.usage, "this node has no port '\(component)'")
  }
}
