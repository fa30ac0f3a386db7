/// Elementary functions made of `+ - * /` and exact rounding only.
///
/// The C library's `sin` and `exp` may differ in their last bit from one system to the next, and
/// a SoundFont built with them would too. IEEE 754 fixes the result of every operation used here,
/// so the font has the same bytes wherever it is built. Errors stay below 1e-14 over the arguments
/// used, far under a 16-bit sample's step of 3e-5.
enum Mathematics {
  static let pi = 3.141592653589793
  static let twoPi = 6.283185307179586

  /// Sine and cosine by quarter turns and a Taylor polynomial on ±π/4.
  static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
    let quarter = (x / (pi / 2)).rounded()
    // π/2 in three parts, so that the reduction keeps its low bits (Cody and Waite, 1980).
    let r =
      ((x - quarter * 1.570796251296997) - quarter * 7.549789415861596e-8)
      - quarter * 5.390302858158119e-15
    let z = r * r
    var sine = 1.0
    for n in stride(from: 14.0, through: 2.0, by: -2) { sine = 1 - z / (n * (n + 1)) * sine }
    sine *= r
    var cosine = 1.0
    for n in stride(from: 15.0, through: 1.0, by: -2) { cosine = 1 - z / (n * (n + 1)) * cosine }
    let turns = quarter - 4 * (quarter / 4).rounded(.down)
    switch turns {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  static func sin(_ x: Double) -> Double { sineAndCosine(x).sine }
  static func cos(_ x: Double) -> Double { sineAndCosine(x).cosine }

  /// `e` to the `x`: a power of two, exact, times a Taylor polynomial on ±ln(2)/2.
  static func exp(_ x: Double) -> Double {
    if x < -700 { return 0 }
    let power = (x / naturalLogOf2).rounded()
    let r = x - power * naturalLogOf2
    var sum = 1.0
    for n in stride(from: 15.0, through: 1.0, by: -1) { sum = 1 + r / n * sum }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// The natural logarithm of a positive number, by the series of the inverse hyperbolic tangent.
  static func log(_ x: Double) -> Double {
    var exponent = Double(x.exponent)
    var significand = x.significand
    if significand > 1.4142135623730951 {
      significand /= 2
      exponent += 1
    }
    let y = (significand - 1) / (significand + 1)
    let z = y * y
    var sum = 0.0
    for n in stride(from: 25.0, through: 1.0, by: -2) { sum = sum * z + 1 / n }
    return exponent * naturalLogOf2 + 2 * y * sum
  }

  static func pow(_ base: Double, _ exponent: Double) -> Double {
    base <= 0 ? 0 : exp(exponent * log(base))
  }

  /// 1 is 0 dB, 10 is 20 dB.
  static func amplitude(decibels: Double) -> Double { exp(decibels / 20 * naturalLogOf10) }
  static func decibels(amplitude: Double) -> Double { 20 * log(amplitude) / naturalLogOf10 }
  static func ratio(cents: Double) -> Double { exp(cents / 1200 * naturalLogOf2) }
  static func cents(ratio: Double) -> Double { 1200 * log(ratio) / naturalLogOf2 }

  /// Equal temperament, key 69 at 440 Hz.
  static func frequency(key: Int) -> Double { 440 * ratio(cents: Double(key - 69) * 100) }

  private static let naturalLogOf2 = 0.6931471805599453
  private static let naturalLogOf10 = 2.302585092994046
}
