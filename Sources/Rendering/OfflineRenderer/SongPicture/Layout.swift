/// The positions of all elements, in pixels.
enum Layout {
  static let size = (width: 1600, height: 1000)
  static let plotX = 116.0
  static let plotWidth = 1408.0
  /// The right end of the labels beside a panel.
  static let labelRight = plotX - 12
  private static let gap = 14.0

  static let titleBaseline = 54.0
  static let subtitleBaseline = 82.0
  private static let headerBottom = 94.0
  private static let legendRowHeight = 22.0

  static let spectrum = Area(x: plotX, y: 724, width: plotWidth, height: 224)
  static let levels = Area(
    x: plotX, y: spectrum.y - gap - 88, width: plotWidth, height: 88)
  static let timeBaseline = spectrum.bottom + 22
  /// The colours of the spectrogram with their levels.
  static let scale = Area(
    x: spectrum.right + 14, y: spectrum.y, width: 10, height: spectrum.height)

  /// Returns the area of the piano roll.
  ///
  /// - Parameters:
  ///   - rows: The number of rows of the legend.
  ///   - hasBeats: Whether tempos and bars are above it.
  static func roll(rows: Int, hasBeats: Bool) -> Area {
    let top =
      headerBottom + Double(rows) * legendRowHeight + (rows > 0 ? 10 : 0) + (hasBeats ? 34 : 0)
    return Area(x: plotX, y: top, width: plotWidth, height: levels.y - gap - top)
  }

  /// Returns the baselines of the tempos and the numbers of bars above the piano roll.
  static func rulerBaselines(_ roll: Area) -> (tempo: Double, bar: Double) {
    (roll.y - 21, roll.y - 5)
  }

  static func legendBaseline(row: Int) -> Double {
    headerBottom + Double(row) * legendRowHeight + 16
  }
}
