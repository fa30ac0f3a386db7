import RenderCore

/// Creates units with preset values of parameters.
struct PresetSource: RenderUnitSource {
  let source: any RenderUnitSource
  /// The values, by the identifiers of the parameters.
  let parameters: [String: Float]

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    if let board = unit.parameters {
      try board.set(parameters)
    } else if let identifier = parameters.keys.first {
      throw ParameterError.unknown(identifier: identifier, known: [])
    }
    return unit
  }
}
