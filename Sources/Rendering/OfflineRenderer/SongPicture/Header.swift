extension Drawing {
  func header(title: String, subtitle: String) {
    canvas.write(
      title, TextStyle(color: palette.title, size: 32, isBold: true), x: Layout.plotX,
      baseline: Layout.titleBaseline, limit: Layout.plotWidth)
    canvas.write(
      subtitle, TextStyle(color: palette.text, size: 15.5), x: Layout.plotX,
      baseline: Layout.subtitleBaseline, limit: Layout.plotWidth)
  }

  /// Draws the legend in as few rows as its names allow.
  ///
  /// - Returns: The number of rows.
  func legend(_ parts: [(channel: UInt8, port: UInt8, name: String)]) -> Int {
    let style = TextStyle(color: palette.text, size: 13)
    let columns = legendColumns(parts.map { canvas.width(of: $0.name, style) })
    for (index, part) in parts.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns.count)
      let x = Layout.plotX + columns[..<column].reduce(0, +)
      let baseline = Layout.legendBaseline(row: row)
      canvas.fill(
        Area(x: x, y: baseline - 9.5, width: 12, height: 10),
        palette.channel(part.channel, port: part.port))
      canvas.write(
        part.name, style, x: x + Self.swatch, baseline: baseline,
        limit: columns[column] - Self.swatch - Self.legendGap)
    }
    return (parts.count + columns.count - 1) / columns.count
  }

  /// The width of an entry's colour, with the gap behind it.
  private static let swatch = 19.0
  /// The least width between entries.
  private static let legendGap = 22.0

  /// Returns the widths of as many columns as fit beside each other.
  ///
  /// - Parameter names: The widths of the names.
  private func legendColumns(_ names: [Double]) -> [Double] {
    for count in stride(from: min(names.count, 8), through: 1, by: -1) {
      let columns = (0..<count).map { column in
        let widest = stride(from: column, to: names.count, by: count).map { names[$0] }.max() ?? 0
        return (Self.swatch + widest + Self.legendGap).rounded(.up)
      }
      if columns.reduce(0, +) - Self.legendGap <= Layout.plotWidth { return columns }
    }
    return [Layout.plotWidth]
  }
}
