import Glibc

/// The level panel: the left channel upwards, the right one downwards, peaks behind averages.
///
/// The height is the square root of the level, so that soft passages are visible: −12 dBFS is at half the height.
struct LevelPanel {
  let drawing: Drawing
  let area: Area

  func draw(_ levels: LevelColumns) {
    drawing.panel(area)
    marks()
    drawing.timeLines(area, opacity: 0.07)
    // −90 dBFS, the threshold at which a render ends, too.
    if levels.columns.allSatisfy({ $0.peak.max() < 1e-9 }) {
      return drawing.remark("silence", area)
    }
    for x in 0..<Int(area.width) { draw(merged(levels, x), at: area.x + Double(x)) }
  }

  private func draw(_ level: (peak: SIMD2<Float>, average: SIMD2<Float>), at x: Double) {
    func bar(_ power: SIMD2<Float>, _ color: Color) {
      let (up, down) = (height(power.x), height(power.y))
      drawing.canvas.fill(
        Area(x: x, y: middle - up, width: 1, height: up + down), color)
    }
    bar(level.peak, max(level.peak.x, level.peak.y) > 1 ? palette.clipped : palette.peak)
    bar(level.average, palette.average)
  }

  private var palette: Palette { drawing.palette }
  private var middle: Double { area.y + area.height / 2 }

  /// - Parameter power: The squared level.
  private func height(_ power: Float) -> Double {
    min(1, Double(power).squareRoot().squareRoot()) * area.height / 2
  }

  /// Returns the peak and the average power drawn at `x`.
  private func merged(
    _ levels: LevelColumns, _ x: Int
  ) -> (peak: SIMD2<Float>, average: SIMD2<Float>) {
    let span = levels.frames
    let first = x * span / Int(area.width)
    let end = max(first + 1, (x + 1) * span / Int(area.width))
    let columns = levels.framesPerColumn
    var sum = LevelColumns.Column()
    var frames = 0
    for index in first / columns...(end - 1) / columns {
      sum.add(levels.columns[index])
      frames += min(columns, span - index * columns)
    }
    return (sum.peak, sum.energy / Float(frames))
  }

  private func marks() {
    for level in [0.0, -12] {
      let share = pow(10, level / 40)
      let text = level == 0 ? "0 dBFS" : "−\(Int(-level))"
      for side in [-1.0, 1] {
        let y = middle + side * share * area.height / 2
        if level < 0 { drawing.line(at: y, area, opacity: 0.07) }
        drawing.label(text, middle: y - side * (level == 0 ? 4 : 0), drawing.small)
      }
    }
    drawing.line(at: middle, area, opacity: 0.13)
    for (name, side) in [("L", -0.5), ("R", 0.5)] {
      drawing.canvas.write(
        name, drawing.small, x: area.right + 10, baseline: middle + side * area.height / 2 + 4)
    }
  }
}
