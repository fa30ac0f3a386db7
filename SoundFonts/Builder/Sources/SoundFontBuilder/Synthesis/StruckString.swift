/// The strings of a piano under one hammer.
///
/// Sources: Fletcher and Rossing, *The Physics of Musical Instruments*, chapter 12 (stiffness,
/// hammer, soundboard); Weinreich, "Coupled piano strings", 1977 (prompt sound and aftersound).
struct StruckString {
  /// Where the hammer strikes, as a part of the string's length.
  var position = 0.122
  /// Hertz above which the felt no longer excites, at middle C.
  var hardness = 880.0
  /// Level of the hammer's knock on the soundboard.
  var knock = 0.12
  /// Decay relative to a grand piano's.
  var sustain = 1.0
  var soundboard = Spectrum.above(75, order: 1.5)
  var sampleRate = 26_000.0
  var length = 0.58
  var loopLength = 4_096

  func tone(key: Int) -> DecayingTone {
    var random = RandomSource(seed: UInt64(key))
    let f0 = Mathematics.frequency(key: key)
    let octaves = Double(key - 60) / 12
    // Stiffness rises by about a factor of 2.7 per octave above the wound strings.
    let stiffness = 0.00035 * Mathematics.pow(2.6, max(-1.6, octaves))
    let felt = hardness * Mathematics.pow(1.42, octaves)
    let stretch = (1 + stiffness).squareRoot()
    // Bass strings ring longer, but not as much longer as treble strings are shorter.
    let decay = sustain * 10 * Mathematics.pow(octaves < 0 ? 0.78 : 0.6, octaves)
    var modes: [Mode] = []
    for n in 1...90 {
      let number = Double(n)
      let hertz = number * f0 * (1 + stiffness * number * number).squareRoot() / stretch
      guard hertz < min(sampleRate * 0.46, 12_000) else { break }
      let blow = abs(Mathematics.sin(number * Mathematics.pi * position)) + 0.03
      let amplitude =
        blow / (1 + Mathematics.pow(hertz / felt, 1.9)) * soundboard(hertz)
        * Mathematics.amplitude(decibels: 2.5 * random.bipolar())
      let slow = decay / (1 + Mathematics.pow(hertz / 1_800, 1.1))
      modes.append(
        Mode(
          hertz: hertz, amplitude: amplitude, decay: slow * 0.3,
          aftersound: (share: 0.3 + 0.1 * random.bipolar(), decay: slow)))
    }
    let loudest = modes.reduce(0) { max($0, $1.amplitude) }
    let thump = knock * loudest
    for (hertz, level) in [(92.0, 0.8), (148, 1), (233, 0.9), (371, 0.7), (540, 0.5), (820, 0.35)] {
      modes.append(Mode(hertz: hertz, amplitude: thump * level, decay: 0.16))
    }
    return DecayingTone(
      modes: modes,
      noise: [
        NoiseBurst(band: 250...2_600, amplitude: thump * 0.9, decay: 0.05),
        NoiseBurst(band: 1_500...6_000, amplitude: thump * 0.3, decay: 0.02),
      ],
      onset: key < 60 ? 0.0022 : 0.0014, beating: 0.16, sampleRate: sampleRate, length: length,
      loopLength: loopLength)
  }
}
