import Configuration
import FluidSynthEngine
import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore

/// A zone and what plays it.
struct LoadedZone: Sendable {
  /// The zone, without the number of its sound.
  let zone: Zone
  /// The settings, with those of its scene.
  let settings: ZoneSettings
  /// `nil`: the port's own unit.
  let sound: LoadedSound?
}

/// The unit that plays zones, with its SoundFont loaded.
struct LoadedSound: Sendable {
  /// Equal sounds are played by one unit.
  struct Identity: Hashable {
    let soundFont: ObjectIdentifier?
    let bank: Int?
    let program: Int?
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
  /// The parameters of the port's unit; `nil` until a zone needs them.
  private var tree: ParameterTree?

  init(port: LoadedPort) { self.port = port }

  /// - Throws: ``SettingError``, or another error whose description is a sentence.
  func load(_ settings: [ZoneSettings]) throws -> [LoadedZone] {
    try settings.map { settings in
      LoadedZone(
        zone: Zone(settings), settings: settings,
        sound: try sound(settings.sound, mode: settings.mode))
    }
  }

  private func sound(
    _ settings: SoundSettings, mode: ZoneSettings.Mode?
  ) throws -> LoadedSound? {
    if settings == SoundSettings(), mode != .legato { return nil }
    let (font, preset) = try instrument(settings)
    let parameters = port.plan.parameters.merging(
      (settings.parameters ?? [:]).mapValues { Float($0) }
    ) { $1 }
    let identity = LoadedSound.Identity(
      soundFont: font.map { ObjectIdentifier($0) }, bank: preset?.selection.bank,
      program: preset?.selection.program, parameters: parameters, level: settings.level ?? 0,
      pan: settings.pan ?? 0, isLegato: mode == .legato)
    var source = self.source(font, preset?.selection)
    if !parameters.isEmpty { source = PresetSource(source: source, parameters: parameters) }
    // Unknown parameters are reported now instead of when the zone is played.
    if settings.parameters != nil {
      let tree = try self.tree ?? port.parameters()
      self.tree = tree
      try tree.check(parameters)
    }
    return LoadedSound(
      identity: identity, name: preset?.name ?? port.plan.description.name, source: source,
      panorama: Panorama(decibels: settings.level ?? 0, balance: (settings.pan ?? 0) / 100),
      soundFont: font)
  }

  /// Returns the SoundFont and the preset that a zone plays.
  private func instrument(
    _ settings: SoundSettings
  ) throws -> (font: SoundFont?, preset: SoundFontPreset?) {
    guard let standard = port.soundFont else {
      guard settings.soundfont == nil, settings.preset == nil else {
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
      return port.plan.sourceWithoutSoundFont
    }
    settings.preset = preset ?? settings.preset
    return port.plan.localSource(font, settings)
  }
}
