/// The parts shared by all panels: the canvas, the text styles, and the time axis.
struct Drawing {
  let canvas: Canvas
  let axis: TimeAxis

  static let label = TextStyle(color: Palette.label, size: 13.5)
  static let small = TextStyle(color: Palette.label, size: 12)
  static let drum = TextStyle(color: Palette.label, size: 11)

  /// Seconds between the vertical lines across the panels.
  var step: Double { axis.step(distance: 84) }

  func panel(_ area: Area) {
    canvas.fill(area, Palette.panel)
  }

  /// Draws vertical lines at the labelled times, so that positions can be compared between panels.
  func timeLines(_ area: Area, opacity: Double) {
    for mark in axis.marks(step: step) where mark.x < area.right {
      canvas.fill(
        Area(x: mark.x.rounded(), y: area.y, width: 1, height: area.height), Palette.grid,
        opacity: opacity)
    }
  }

  func line(at y: Double, _ area: Area, opacity: Double) {
    canvas.fill(
      Area(x: area.x, y: y.rounded(), width: area.width, height: 1), Palette.grid, opacity: opacity)
  }

  /// Draws a label beside a panel, vertically centered at `y`.
  func label(_ text: String, middle y: Double, _ style: TextStyle = Self.label) {
    canvas.write(
      text, style, x: Layout.labelRight, baseline: (y + style.size * 0.36).rounded(),
      alignment: .right, limit: Layout.labelRight - 8)
  }

  /// Writes into an empty panel why it is empty.
  func remark(_ text: String, _ area: Area) {
    let (x, y) = (area.x + area.width / 2, area.y + area.height / 2)
    canvas.fill(Area(x: x - 60, y: y - 12, width: 120, height: 24), Palette.panel)
    canvas.write(text, Self.label, x: x, baseline: y + 5, alignment: .center)
  }

  func times() {
    for mark in axis.marks(step: step) {
      canvas.write(
        mark.text, Self.label, x: mark.x, baseline: Layout.timeBaseline, alignment: .center)
    }
  }
}
