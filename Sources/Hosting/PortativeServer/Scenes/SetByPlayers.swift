import Configuration
import NodeDirectory
import NodeServer
import RenderCore

/// What players have set on a port since its unit was made.
struct SetByPlayers {
  private var parameters: [String: Double] = [:]
  private var preset: PresetName?
  private var soundFont: String?

  var isEmpty: Bool { parameters.isEmpty && preset == nil && soundFont == nil }

  init(_ port: PortZones) throws {
    let unit = try port.port.unit ?? port.port.makePlayerUnit()
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
  func adding(to zone: ZoneSettings) -> ZoneSettings {
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
