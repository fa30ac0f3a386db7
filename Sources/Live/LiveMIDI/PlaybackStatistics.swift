package import RenderCore

/// The statistics of a port that is played to a sound device.
package struct PlaybackStatistics: Sendable {
  package let format: Format
  package let cycles: Int
  /// The cycles whose rendering took longer than they last.
  package let lateCycles: Int
  /// The infinite and NaN samples of the unit, which were replaced by 0.
  package let invalidSamples: Int
  /// The time spent rendering as a fraction of the duration of the cycles.
  package let load: Double
  /// The figures that the unit reports.
  package let unit: [UnitStatus]

  package init(
    format: Format, cycles: Int, lateCycles: Int, invalidSamples: Int, load: Double,
    unit: [UnitStatus]
  ) {
    self.format = format
    self.cycles = cycles
    self.lateCycles = lateCycles
    self.invalidSamples = invalidSamples
    self.load = load
    self.unit = unit
  }
}

extension PlaybackStatistics {
  /// Returns the statistics of a port that is played again.
  ///
  /// - Parameter earlier: Those at the end of the last time.
  func continuing(_ earlier: Self) -> Self {
    PlaybackStatistics(
      format: format, cycles: cycles + earlier.cycles, lateCycles: lateCycles + earlier.lateCycles,
      invalidSamples: invalidSamples + earlier.invalidSamples, load: load,
      unit: unit.continuing(earlier.unit))
  }

  /// The statistics of a port that is not played any more.
  var ended: Self {
    PlaybackStatistics(
      format: format, cycles: cycles, lateCycles: lateCycles,
      invalidSamples: invalidSamples, load: 0, unit: unit)
  }
}
