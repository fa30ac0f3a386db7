import LiveMIDI
import RenderCore

/// Makes units with a sound that zones of a port have played.
struct TakenSoundSource: RenderUnitSource {
  let source: any RenderUnitSource
  /// What players have set on the unit that keyboards play.
  let values: [String: Float]

  init(_ sound: TakenSound, of port: PublishedPort) {
    source = sound.source
    // There is none if no zone can play the sound any more.
    let played = port.input.zoneUnits[sound.number]
    // A preset that was changed since the take began is among its events.
    values = (played?.parameters?.all ?? [:]).filter { !$0.key.hasPrefix("preset.") }
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    try unit.parameters?.set(values)
    return unit
  }
}
