/// Makes units that can be silenced. A unit that cannot do so itself is made again.
package struct SilenceableSource: RenderUnitSource {
  private let source: any RenderUnitSource

  package init(_ source: any RenderUnitSource) { self.source = source }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    if unit is any SilenceableUnit { return unit }
    return RemadeUnit(ReplaceableUnit(unit, format, isOffline: use.isOffline)) { [source] in
      try source.makeUnit(format, for: use)
    }
  }
}
