import FoundationEssentials

/// One thing measured several times.
struct Runs: Encodable {
  var values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// Run by run: of competitors that took turns, so that what disturbed one disturbed the other too.
  init(ratiosOf a: [Double], to b: [Double]) { values = zip(a, b).map { $0 / $1 } }

  var median: Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
  var least: Double { values.min() ?? .nan }
  var most: Double { values.max() ?? .nan }

  func text(digits: Int) -> String {
    let middle = median.formatted(digits: digits)
    guard values.count > 1 else { return middle }
    return "\(middle) (\(least.formatted(digits: digits))…\(most.formatted(digits: digits)))"
  }

  private enum Key: CodingKey { case median, min, max, runs }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(median, forKey: .median)
    try container.encode(least, forKey: .min)
    try container.encode(most, forKey: .max)
    try container.encode(values, forKey: .runs)
  }
}

extension Double {
  /// With so many digits after the point.
  func formatted(digits: Int) -> String {
    guard isFinite else { return "–" }
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    let whole = Int((magnitude * power).rounded())
    let sign = self < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % Int(power))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(whole / Int(power)).\(zeros)\(fraction)"
  }
}
