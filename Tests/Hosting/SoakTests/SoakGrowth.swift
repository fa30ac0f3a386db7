/// By how much a figure grows in the second half of a soak, by linear regression.
struct SoakGrowth {
  private(set) var value = 0.0

  /// - Parameter points: The virtual hours and the figure.
  init(_ points: [(hours: Double, value: Double)]) {
    let half = points.suffix(points.count / 2)
    guard half.count > 2, let first = half.first, let last = half.last else { return }
    let count = Double(half.count)
    let meanX = half.reduce(0) { $0 + $1.hours } / count
    let meanY = half.reduce(0) { $0 + $1.value } / count
    let covariance = half.reduce(0) { $0 + ($1.hours - meanX) * ($1.value - meanY) }
    let variance = half.reduce(0) { $0 + ($1.hours - meanX) * ($1.hours - meanX) }
    if variance > 0 { value = covariance / variance * (last.hours - first.hours) }
  }

  init(of figure: KeyPath<SoakFigures, Int>, in figures: [SoakFigures]) {
    self.init(figures.map { ($0.hours, Double($0[keyPath: figure])) })
  }
}
