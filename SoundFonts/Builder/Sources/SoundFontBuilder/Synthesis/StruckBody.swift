/// Where the modes of bars, tubes, bells and skins lie, relative to the note they are named after.
///
/// Source: Fletcher and Rossing, *The Physics of Musical Instruments*, chapters 18 to 21.
enum StruckBody {
  /// A free bar of even thickness: glockenspiel, triangle, chimes of metal.
  static let bar = [1.0, 2.756, 5.404, 8.933, 13.34]
  /// A bar undercut so that its second mode is two octaves up: marimba and vibraphone.
  static let marimba = [1.0, 3.93, 9.2, 16.1]
  /// A bar undercut to the twelfth: xylophone.
  static let xylophone = [1.0, 3.0, 6.1, 9.9]
  /// Orchestral chimes: the strike note is heard an octave below modes 4, 5 and 6, as 2 : 3 : 4.
  static let chime = [0.69, 1.19, 2.0, 3.0, 4.16, 5.43, 6.79, 8.21]
  /// Church bell: hum, prime, minor tierce, quint, nominal and above.
  static let bell = [0.5, 1.0, 1.2, 1.5, 2.0, 2.6, 3.0, 4.2, 5.4]
  /// An ideal round skin.
  static let skin = [1.0, 1.594, 2.136, 2.296, 2.653, 2.918, 3.156, 3.501, 3.6]
  /// A kettledrum, whose air and kettle bring the modes near 2 : 3 : 4 : 5 : 6.
  static let kettle = [1.0, 1.504, 1.742, 2.0, 2.245, 2.494, 2.98, 3.46]

  /// The modes of a body.
  ///
  /// - Parameters:
  ///   - ratios: Frequencies relative to `hertz`.
  ///   - levels: Decibels, one for each ratio.
  ///   - decay: Seconds for ratio 1 to fall by 60 dB.
  ///   - damping: The power of its ratio by which a mode's decay is shortened.
  static func modes(
    _ ratios: [Double], hertz: Double, levels: [Double], decay: Double, damping: Double
  ) -> [Mode] {
    zip(ratios, levels).map { ratio, level in
      Mode(
        hertz: hertz * ratio, amplitude: Mathematics.amplitude(decibels: level),
        decay: decay / Mathematics.pow(max(ratio, 0.5), damping))
    }
  }

  /// Modes strewn over a band, as of a cymbal; the same number of them in every third of an octave
  /// would be too sparse above, so they lie evenly in hertz with random distances.
  static func plate(
    _ band: ClosedRange<Double>, count: Int, decay: (Double) -> Double, shape: (Double) -> Double,
    seed: String
  ) -> [Mode] {
    var random = RandomSource(seed)
    let width = (band.upperBound - band.lowerBound) / Double(count)
    return (0..<count).map { index in
      let hertz = band.lowerBound + width * (Double(index) + random.unit())
      let level = Mathematics.amplitude(decibels: 4 * random.gaussian())
      return Mode(
        hertz: hertz, amplitude: shape(hertz) * min(level, 3),
        decay: decay(hertz) * (0.7 + 0.6 * random.unit()))
    }
  }
}
