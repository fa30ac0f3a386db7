/// The parts shared by all panels: the canvas, the colours, the text styles, and the time axis.
struct Drawing {
  let canvas: any Canvas
  let palette: Palette
  let axis: TimeAxis

  var label: TextStyle { TextStyle(color: palette.label, size: 13.5) }
  var small: TextStyle { TextStyle(color: palette.label, size: 12) }

  /// Seconds between the vertical lines across the panels.
  var step: Double { axis.step(distance: 84) }

  func panel(_ area: Area) { canvas.fill(area, palette.panel) }

  /// Draws vertical lines at the labelled times, so that positions can be compared between panels.
  func timeLines(_ area: Area, opacity: Double) {
    for mark in axis.marks(step: step) where mark.x < area.right {
      line(atX: mark.x, area, opacity: opacity)
    }
  }

  func line(atX x: Double, _ area: Area, opacity: Double) {
    canvas.fill(
      Area(x: x.rounded(), y: area.y, width: 1, height: area.height), palette.grid,
      opacity: opacity)
  }

  func line(at y: Double, _ area: Area, opacity: Double) {
    canvas.fill(
      Area(x: area.x, y: y.rounded(), width: area.width, height: 1), palette.grid, opacity: opacity)
  }

  /// Draws a label beside a panel, vertically centered at `y`.
  func label(_ text: String, middle y: Double, _ style: TextStyle? = nil) {
    let style = style ?? label
    canvas.write(
      text, style, x: Layout.labelRight, baseline: (y + style.size * 0.36).rounded(),
      alignment: .right, limit: Layout.labelRight - 8)
  }

  /// Writes into an empty panel why it is empty.
  func remark(_ text: String, _ area: Area) {
    let (x, y) = (area.x + area.width / 2, area.y + area.height / 2)
    canvas.fill(Area(x: x - 60, y: y - 12, width: 120, height: 24), palette.panel)
    canvas.write(text, label, x: x, baseline: y + 5, alignment: .center)
  }

  func times() {
    for mark in axis.marks(step: step) {
      canvas.write(
        mark.text, label, x: mark.x, baseline: Layout.timeBaseline, alignment: .center)
    }
  }
}
