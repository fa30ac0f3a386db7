import Configuration
import FluidSynthEngine
import LiveAudio
import LV2Host
import LiveMIDI
import LocalSystem
import NodeProtocol
import PluginNodes
import RenderCore

/// A zone and what plays it.
struct LoadedZone: Sendable {
  /// The zone, without the number of its sound.
  let zone: Zone
  /// The settings, with those of its scene.
  let settings: ZoneSettings
  let player: Player

  /// What plays a zone.
  enum Player: Sendable {
    /// The port's own unit.
    case port
    case sound(LoadedSound)
    /// A module, through a MIDI output.
    case module(LoadedModule)
  }

  /// The unit that plays the zone, besides the port's own; `nil` if there is none.
  var sound: LoadedSound? {
    if case .sound(let sound) = player { sound } else { nil }
  }
}

/// A module that plays zones.
struct LoadedModule: Hashable, Sendable {
  /// The name of the MIDI output.
  let output: String
  /// 0…15; `nil`: the channel of the keyboard.
  let channel: UInt8?
}

/// The unit that plays zones, with its SoundFont loaded.
struct LoadedSound: Sendable {
  /// Equal sounds are played by one unit.
  struct Identity: Hashable {
    let soundFont: ObjectIdentifier?
    let bank: Int?
    let program: Int?
    /// The preset of a plugin.
    let plugin: String?
    let parameters: [String: Float]
    let level: Double
    let pan: Double
    let isLegato: Bool
  }

  let identity: Identity
  let name: String
  let source: any RenderUnitSource
  let panorama: Panorama
  /// Keeps the SoundFont loaded.
  let soundFont: SoundFont?
}

/// Loads the zones of a port.
final class ZoneLoader {
  let port: LoadedPort
  /// The names of the MIDI outputs.
  private let outputs: [String]
  /// The parameters of the port's unit; `nil` until a zone needs them.
  private var tree: ParameterTree?

  /// - Parameter outputs: The names of the MIDI outputs.
  init(port: LoadedPort, outputs: [String]) {
    self.port = port
    self.outputs = outputs
  }

  /// - Throws: ``SettingError``, or another error whose description is a sentence.
  func load(_ settings: [ZoneSettings]) throws -> [LoadedZone] {
    try settings.map { settings in
      LoadedZone(zone: Zone(settings), settings: settings, player: try player(settings))
    }
  }

  private func player(_ settings: ZoneSettings) throws -> LoadedZone.Player {
    if let output = settings.output {
      if settings.sound != SoundSettings() {
        throw SettingError(
          "zones",
          "have the output '\(output)' and a sound, which the module has itself: remove one of them"
        )
      }
      try Self.check(output: output, among: outputs)
      return .module(
        LoadedModule(output: output, channel: settings.outputChannel.map { UInt8($0 - 1) }))
    }
    if settings.outputChannel != nil {
      throw SettingError("zones", "have an outputChannel, but no output: add one")
    }
    return try sound(settings.sound, mode: settings.mode).map { .sound($0) } ?? .port
  }

  /// - Throws: ``SettingError`` if there is no output of a name.
  static func check(output: String, among names: [String]) throws(SettingError) {
    if names.contains(output) { return }
    let hint = closest(to: output, among: names).map { "did you mean '\($0)'?" }
    throw SettingError(
      nil, "there is no output '\(output.quotable)': \(hint ?? "add it to 'outputs'")")
  }

  private func sound(
    _ settings: SoundSettings, mode: ZoneSettings.Mode?
  ) throws -> LoadedSound? {
    if settings == SoundSettings(), mode != .legato { return nil }
    let (font, preset) = try instrument(settings)
    let plugin = try plugin(settings)
    let parameters = port.plan.parameters.merging(
      (settings.parameters ?? [:]).mapValues { Float($0) }
    ) { $1 }
    let identity = LoadedSound.Identity(
      soundFont: font.map { ObjectIdentifier($0) }, bank: preset?.selection.bank,
      program: preset?.selection.program, plugin: plugin?.preset, parameters: parameters,
      level: settings.level ?? 0, pan: settings.pan ?? 0, isLegato: mode == .legato)
    var source =
      plugin.map(port.source(of:)) ?? self.source(font, preset?.selection)
    if !parameters.isEmpty { source = PresetSource(source: source, parameters: parameters) }
    // Unknown parameters are reported now instead of when the zone is played.
    if settings.parameters != nil {
      let tree = try self.tree ?? port.parameters()
      self.tree = tree
      try tree.check(parameters)
    }
    return LoadedSound(
      identity: identity, name: preset?.name ?? plugin?.preset ?? port.plan.description.name,
      source: source,
      panorama: Panorama(decibels: settings.level ?? 0, balance: (settings.pan ?? 0) / 100),
      soundFont: font)
  }

  /// Returns the plugin with the preset that a zone plays; `nil` if the port has no plugin.
  private func plugin(_ settings: SoundSettings) throws(SettingError) -> PluginSelection? {
    guard let plugin = port.plan.plugin else { return nil }
    guard let preset = settings.preset else { return plugin }
    guard case .name(let name) = preset else {
      throw SettingError("zones", "have a preset by number, but those of plugins have names")
    }
    do throws(LV2Error) {
      return PluginSelection(try plugin.source.with(preset: name))
    } catch {
      throw SettingError("zones", "cannot be played: \(error)")
    }
  }

  /// Returns the SoundFont and the preset that a zone plays.
  private func instrument(
    _ settings: SoundSettings
  ) throws -> (font: SoundFont?, preset: SoundFontPreset?) {
    guard let standard = port.soundFont else {
      let hasPreset = settings.preset != nil && port.plan.plugin == nil
      if settings.soundfont != nil || hasPreset {
        throw SettingError(
          "zones", "have a soundfont or a preset, but a \(port.plan.unit.rawValue) plays none")
      }
      return (nil, nil)
    }
    let font =
      try settings.soundfont.map { path throws(InstrumentError) in
        try SoundFont.open(path)
      } ?? standard
    guard let name = settings.preset else {
      try font.check(nil)
      return (font, nil)
    }
    let presets = try font.presets()
    let text =
      switch name {
      case .name(let text): text
      case .number(let bank, let program): "\(bank):\(program)"
      }
    let index = try PresetSearch(presets: presets.map { Preset($0) }).index(of: text)
    return (font, presets[index])
  }

  private func source(
    _ font: SoundFont?, _ preset: PresetSelection?
  ) -> any RenderUnitSource {
    guard let font, var settings = port.plan.instrument?.settings else {
      return port.sourceWithoutSoundFont
    }
    settings.preset = preset ?? settings.preset
    // A server has many zones, of which few are played. A chord of ten notes is ready; the rest is made as it is needed.
    settings.firstLanes = 10
    settings.overflowVoices = 64
    return port.plan.localSource(font, settings)
  }
}
