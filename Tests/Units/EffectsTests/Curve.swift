/// A parameter's value over time in closed form: steps and linear ramps.
struct Curve {
  private var points: [(frame: Int, value: Double, ramp: Int)]

  init(_ value: Double) { points = [(0, value, 0)] }

  mutating func set(_ value: Double, at frame: Int, ramp: Int = 0) {
    points.append((frame, value, ramp))
  }

  func value(_ frame: Int) -> Double { value(frame, points.count - 1) }

  /// Whether the value is ramping at a frame.
  func isMoving(_ frame: Int) -> Bool {
    points.contains { ($0.frame..<$0.frame + $0.ramp).contains(frame) }
  }

  private func value(_ frame: Int, _ last: Int) -> Double {
    guard last > 0 else { return points[0].value }
    let point = points[last]
    if frame < point.frame { return value(frame, last - 1) }
    if frame >= point.frame + point.ramp { return point.value }
    let start = value(point.frame, last - 1)
    return start + (point.value - start) * Double(frame - point.frame) / Double(point.ramp)
  }
}
