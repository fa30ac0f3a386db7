package import RenderCore

/// How a port is doing that is played to a sound device.
package struct PlayingFigures: Sendable {
  package let format: Format
  package let cycles: Int
  /// Of the time that its cycles last, the part that rendering took: 1 is all of it.
  package let load: Double
  /// What the unit says of itself.
  package let unit: [UnitStatus]
}
