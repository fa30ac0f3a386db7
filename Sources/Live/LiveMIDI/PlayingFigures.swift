package import RenderCore

/// How a port is doing that is played to a sound device.
package struct PlayingFigures: Sendable {
  package let format: Format
  package let cycles: Int
  /// Of the time that its cycles last, the part that rendering took: 1 is all of it.
  package let load: Double
  /// What the unit says of itself.
  package let unit: [UnitStatus]

  package init(format: Format, cycles: Int, load: Double, unit: [UnitStatus]) {
    self.format = format
    self.cycles = cycles
    self.load = load
    self.unit = unit
  }
}
