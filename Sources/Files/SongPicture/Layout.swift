/// The positions of all elements, in pixels.
enum Layout {
  static let size = (width: 1600, height: 1000)
  static let plotX = 116.0
  static let plotWidth = 1444.0
  /// The right end of the labels beside a panel.
  static let labelRight = plotX - 12
  private static let gap = 14.0

  static let titleBaseline = 62.0
  static let subtitleBaseline = 92.0
  private static let headerBottom = 112.0
  static let legendColumns = 8
  static let legendRowHeight = 22.0

  static let spectrum = Area(x: plotX, y: 684, width: plotWidth, height: 264)
  static let levels = Area(
    x: plotX, y: spectrum.y - gap - 108, width: plotWidth, height: 108)
  static let timeBaseline = spectrum.bottom + 22

  /// Returns the area of the piano roll.
  ///
  /// - Parameter parts: The number of entries in the legend.
  static func roll(parts: Int) -> Area {
    let rows = (parts + legendColumns - 1) / legendColumns
    let top = headerBottom + Double(rows) * legendRowHeight + (rows > 0 ? 10 : 0)
    return Area(x: plotX, y: top, width: plotWidth, height: levels.y - gap - top)
  }

  static func legendBaseline(row: Int) -> Double {
    headerBottom + Double(row) * legendRowHeight + 16
  }
}
