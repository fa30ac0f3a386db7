/// Shapes of spectra, as linear gain over hertz; they multiply.
enum Spectrum {
  /// Resonances over a floor: a vowel, a violin's body, the bell of an oboe.
  ///
  /// - Parameters:
  ///   - peaks: Centre and width in hertz, gain in decibels.
  ///   - floor: Decibels of what no resonance lifts.
  static func resonances(
    _ peaks: [(hertz: Double, width: Double, gain: Double)], floor: Double
  ) -> (Double) -> Double {
    let base = Mathematics.amplitude(decibels: floor)
    let gains = peaks.map { Mathematics.amplitude(decibels: $0.gain) }
    return { hertz in
      zip(peaks, gains).reduce(base) { sum, peak in
        let distance = (hertz - peak.0.hertz) / (peak.0.width / 2)
        return sum + peak.1 / (1 + distance * distance)
      }
    }
  }

  /// 1 below the corner, falling by `order` times 6 dB per octave above it.
  static func below(_ corner: Double, order: Double = 2) -> (Double) -> Double {
    { 1 / (1 + Mathematics.pow($0 / corner, 2 * order)).squareRoot() }
  }

  /// 1 above the corner, falling by `order` times 6 dB per octave below it.
  static func above(_ corner: Double, order: Double = 2) -> (Double) -> Double {
    { 1 / (1 + Mathematics.pow(corner / $0, 2 * order)).squareRoot() }
  }

  /// A band of noise with sides of 12 dB per octave.
  static func band(_ low: Double, _ high: Double, _ amplitude: Double) -> (Double) -> Double {
    let (rising, falling) = (above(low), below(high))
    return { amplitude * rising($0) * falling($0) }
  }

  /// `number` to the power of `-exponent`: 1 is a saw wave, 2 a triangle.
  static func falling(_ number: Int, _ exponent: Double) -> Double {
    Mathematics.pow(Double(number), -exponent)
  }
}
