/// A second-order filter section.
///
/// Source: Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients".
struct Filter {
  private let b0: Double
  private let b1: Double
  private let b2: Double
  private let a1: Double
  private let a2: Double
  private var s1 = 0.0
  private var s2 = 0.0

  private init(b: (Double, Double, Double), a: (Double, Double, Double)) {
    (b0, b1, b2) = (b.0 / a.0, b.1 / a.0, b.2 / a.0)
    (a1, a2) = (a.1 / a.0, a.2 / a.0)
  }

  /// The angle of `hertz` and its `alpha`; frequencies are kept below the Nyquist frequency.
  private static func angle(
    _ hertz: Double, _ rate: Double, _ q: Double
  ) -> (cosine: Double, alpha: Double) {
    let w = Mathematics.twoPi * min(hertz, rate * 0.47) / rate
    let (sine, cosine) = Mathematics.sineAndCosine(w)
    return (cosine, sine / (2 * q))
  }

  static func lowPass(_ hertz: Double, rate: Double, q: Double = 0.707) -> Filter {
    let (c, alpha) = angle(hertz, rate, q)
    return Filter(b: ((1 - c) / 2, 1 - c, (1 - c) / 2), a: (1 + alpha, -2 * c, 1 - alpha))
  }

  static func highPass(_ hertz: Double, rate: Double, q: Double = 0.707) -> Filter {
    let (c, alpha) = angle(hertz, rate, q)
    return Filter(b: ((1 + c) / 2, -1 - c, (1 + c) / 2), a: (1 + alpha, -2 * c, 1 - alpha))
  }

  /// Gain 1 at the centre.
  static func bandPass(_ hertz: Double, rate: Double, q: Double) -> Filter {
    let (c, alpha) = angle(hertz, rate, q)
    return Filter(b: (alpha, 0, -alpha), a: (1 + alpha, -2 * c, 1 - alpha))
  }

  static func highShelf(_ hertz: Double, gain: Double, rate: Double, q: Double) -> Filter {
    let (c, alpha) = angle(hertz, rate, q)
    let a = Mathematics.amplitude(decibels: gain / 2)
    let beta = 2 * a.squareRoot() * alpha
    return Filter(
      b: (
        a * ((a + 1) + (a - 1) * c + beta), -2 * a * ((a - 1) + (a + 1) * c),
        a * ((a + 1) + (a - 1) * c - beta)
      ),
      a: ((a + 1) - (a - 1) * c + beta, 2 * ((a - 1) - (a + 1) * c), (a + 1) - (a - 1) * c - beta))
  }

  mutating func process(_ x: Double) -> Double {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }
}
