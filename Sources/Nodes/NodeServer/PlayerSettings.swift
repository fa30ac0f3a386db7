import RenderCore
import Synchronization

/// What players have set on a port while no host plays it: by a command or a panel, and not in the configuration. The
/// units that keyboards play without a host receive it.
///
/// Threads: any.
final class PlayerSettings: Sendable {
  private struct Settings {
    let values: [String: Float]
    let files: [String: FileReference]
    let data: [UInt8]
  }
  private let settings = Mutex<Settings?>(nil)

  /// Keeps the settings of a unit for later ones.
  func save(_ unit: any RenderUnit) {
    let new = Settings(
      values: unit.parameters?.all ?? [:], files: unit.files.references, data: unit.save())
    settings.withLock { $0 = new }
  }

  /// Gives a new unit the settings that were saved last. If a file is missing now, its other settings are those of a
  /// new unit, too.
  func restore(to unit: any RenderUnit) {
    guard let settings = settings.withLock({ $0 }) else { return }
    do {
      try unit.restore(settings.data, files: settings.files)
      try unit.parameters?.set(settings.values)
    } catch {
      return
    }
  }
}

/// Makes units with the settings of players.
struct PlayerSource: RenderUnitSource {
  let source: any RenderUnitSource
  let settings: PlayerSettings

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    settings.restore(to: unit)
    return unit
  }
}
