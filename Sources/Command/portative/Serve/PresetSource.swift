import RenderCore

/// Makes units whose parameters are set to begin with.
struct PresetSource: RenderUnitSource {
  let source: any RenderUnitSource
  /// By identifier.
  let parameters: [String: Float]

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderUse())
  }

  func makeUnit(_ format: Format, for use: RenderUse) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    if let board = unit.parameters {
      try board.set(parameters)
    } else if let identifier = parameters.keys.first {
      throw ParameterError.unknown(identifier: identifier, known: [])
    }
    return unit
  }
}
