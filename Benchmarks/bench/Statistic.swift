import FoundationEssentials

/// Repeated measurements of one quantity.
struct Runs: Encodable {
  var values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// Divides interleaved runs pairwise, so that a disturbance of both runs cancels out.
  init(ratiosOf a: [Double], to b: [Double]) { values = zip(a, b).map { $0 / $1 } }

  var median: Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
  var minimum: Double { values.min() ?? .nan }
  var maximum: Double { values.max() ?? .nan }

  func text(digits: Int) -> String {
    let middle = median.formatted(digits: digits)
    guard values.count > 1 else { return middle }
    return "\(middle) (\(minimum.formatted(digits: digits))…\(maximum.formatted(digits: digits)))"
  }

  private enum Key: CodingKey { case median, min, max, runs }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(median, forKey: .median)
    try container.encode(minimum, forKey: .min)
    try container.encode(maximum, forKey: .max)
    try container.encode(values, forKey: .runs)
  }
}

extension Double {
  /// Returns the number with `digits` digits after the decimal point, or "–" if it is not finite.
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
