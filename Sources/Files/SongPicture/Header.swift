extension Drawing {
  func header(title: String, subtitle: String) {
    canvas.write(
      title, TextStyle(color: Palette.title, size: 32, isBold: true), x: Layout.plotX,
      baseline: Layout.titleBaseline, limit: Layout.plotWidth)
    canvas.write(
      subtitle, TextStyle(color: Palette.text, size: 15.5), x: Layout.plotX,
      baseline: Layout.subtitleBaseline, limit: Layout.plotWidth)
  }

  func legend(_ parts: [(channel: UInt8, name: String)]) {
    let width = Layout.plotWidth / Double(Layout.legendColumns)
    let style = TextStyle(color: Palette.text, size: 13)
    for (index, part) in parts.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: Layout.legendColumns)
      let x = Layout.plotX + (Double(column) * width).rounded()
      let baseline = Layout.legendBaseline(row: row)
      canvas.fill(
        Area(x: x, y: baseline - 9.5, width: 12, height: 10), Palette.channel(part.channel))
      canvas.write(part.name, style, x: x + 19, baseline: baseline, limit: width - 29)
    }
  }
}
