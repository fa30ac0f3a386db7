/// A string set off by a finger, a plectrum or a quill.
///
/// The digital string of Karplus and Strong is a sum of decaying partials; here they are computed
/// one by one, which gives the same tone with exact tuning and an exact loop.
///
/// Sources: Karplus and Strong, "Digital synthesis of plucked-string and drum timbres", 1983 (high
/// partials die first); Jaffe and Smith, "Extensions of the Karplus–Strong plucked-string
/// algorithm", 1983 (plucking position, stiffness); Fletcher and Rossing, *The Physics of Musical
/// Instruments*, chapters 2 and 9.
struct PluckedString {
  /// Where it is plucked, as a part of its length: partials with a node there are missing.
  var position = 0.2
  /// Where a magnetic pickup listens; `nil` for a string heard through its body.
  var pickup: Double?
  /// Hertz above which finger or plectrum no longer excite.
  var brightness = 3_000.0
  /// Amplitude of partial n falls as n to this power, before position and brightness.
  var tilt = 1.0
  /// Seconds for the fundamental to fall by 60 dB.
  var decay = 4.0
  /// Hertz at which the decay is half as long.
  var damping = 1_500.0
  /// Stiffness: partial n is sharp by the factor √(1 + stiffness·n²).
  var stiffness = 0.00005
  var body: (Double) -> Double = { _ in 1 }
  /// Random differences between partials, in decibels.
  var grain = 2.0
  var noise: [NoiseBurst] = []
  /// Modes of the body, heard as the knock of the pluck: hertz, amplitude, seconds.
  var knock: [(Double, Double, Double)] = []
  var sampleRate = 24_000.0
  var length = 0.5
  var loopLength = 2_048

  func tone(key: Int) -> DecayingTone {
    var random = RandomSource(seed: UInt64(key))
    let f0 = Mathematics.frequency(key: key)
    let excitation = Spectrum.below(brightness, order: 1.5)
    let stretch = (1 + stiffness).squareRoot()
    var modes: [Mode] = []
    for n in 1...120 {
      let number = Double(n)
      let hertz = number * f0 * (1 + stiffness * number * number).squareRoot() / stretch
      guard hertz < sampleRate * 0.46 else { break }
      var amplitude = Spectrum.falling(n, tilt) * excitation(hertz) * body(hertz)
      amplitude *= abs(Mathematics.sin(number * Mathematics.pi * position)) + 0.02
      if let pickup { amplitude *= abs(Mathematics.sin(number * Mathematics.pi * pickup)) + 0.05 }
      amplitude *= Mathematics.amplitude(decibels: grain * random.bipolar())
      let ratio = hertz / damping
      let shorter = (1 + (f0 / damping) * (f0 / damping)) / (1 + ratio * ratio)
      modes.append(Mode(hertz: hertz, amplitude: amplitude, decay: max(0.03, decay * shorter)))
    }
    modes += knock.map { Mode(hertz: $0.0, amplitude: $0.1, decay: $0.2) }
    return DecayingTone(
      modes: modes, noise: noise, onset: 0.0012, beating: 0.06, sampleRate: sampleRate,
      length: length, loopLength: loopLength)
  }
}
