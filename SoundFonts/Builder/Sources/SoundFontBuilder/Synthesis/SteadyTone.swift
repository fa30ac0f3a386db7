/// A tone that is held as long as its player wants: blown, bowed, sung, or made by an organ.
///
/// Its harmonics are laid out on the bins of a loop, so that the held part repeats without a seam.
/// They are rendered in groups of an octave each; every group fades in on its own curve, because
/// in most instruments the high harmonics arrive after the low ones.
struct SteadyTone {
  /// Linear amplitude of a harmonic, from its number (1 is the fundamental) and its frequency.
  var level: (_ harmonic: Int, _ hertz: Double) -> Double
  /// Width of each harmonic in cents: 0 is a machine, 3 one player, 20...40 an ensemble.
  ///
  /// Source: Nasca, "The PADsynth algorithm", 2006.
  var spread = 0.0
  /// Amplitude of the air noise around `hertz`, relative to the harmonics' own scale.
  var breath: ((_ hertz: Double) -> Double)?
  /// Seconds until the fundamental has full level.
  var attack = 0.03
  /// The attack of the highest octave, relative to that of the fundamental.
  var brightening = 1.5
  /// Extra breath at the very start, relative to the held breath.
  var chiff = 0.0
  /// Inharmonic or out-of-tune companions: ratio to the fundamental, and amplitude.
  var companions: [(ratio: Double, amplitude: Double)] = []
  /// Nominal frames per second.
  var sampleRate = 24_000.0
  /// Frames in the loop, a power of two.
  var loopLength = 8_192

  func record(_ name: String, key: Int) -> Recording {
    var random = RandomSource(name)
    let frequency = Mathematics.frequency(key: key)
    let grid = LoopGrid(frequency: frequency, nominalRate: sampleRate, length: loopLength)
    let rate = Double(grid.sampleRate)

    var groups = (0..<5).map { _ in LoopSpectrum(length: loopLength) }
    var harmonic = 1
    while Double(harmonic) * frequency < rate * 0.46 {
      let hertz = Double(harmonic) * frequency
      let group = min(4, Int.bitWidth - 1 - harmonic.leadingZeroBitCount)
      add(
        hertz: hertz, bin: harmonic * grid.periods, amplitude: level(harmonic, hertz),
        steadiness: max(0.5, 4 / Double(harmonic)), grid, &groups[group], &random)
      harmonic += 1
    }
    for companion in companions {
      let hertz = companion.ratio * frequency
      add(
        hertz: hertz, bin: grid.bin(hertz), amplitude: companion.amplitude, steadiness: 1, grid,
        &groups[1], &random)
    }
    let waves = groups.map { $0.waveform() }
    let air = breath.map { noise(density: $0, grid, &random) }

    let longest = attack * max(1, brightening)
    let lead = max(64, Int((longest + (chiff > 0 ? 0.07 : 0)) * rate))
    var frames = [Double](repeating: 0, count: lead + loopLength + Recording.margin)
    for index in frames.indices {
      // The loop starts at `lead`; before it, the same waves run with their fades.
      let turn = ((index - lead) % loopLength + loopLength) % loopLength
      let time = Double(index) / rate
      var sum = 0.0
      for (group, wave) in waves.enumerated() {
        let fade = attack * (1 + (brightening - 1) * Double(group) / 4)
        sum += wave[turn] * (index < lead ? rise(time / fade) : 1)
      }
      if let air {
        let left = max(0, 1 - Double(index) / Double(lead))
        sum += air[turn] * (index < lead ? rise(time / 0.012) : 1) * (1 + chiff * left * left)
      }
      frames[index] = sum
    }
    return Recording(
      name: name, frames: frames, loop: lead..<lead + loopLength, sampleRate: grid.sampleRate,
      key: key)
  }

  /// A quarter of a raised sine: level and slope both start softly.
  private func rise(_ x: Double) -> Double {
    if x >= 1 { return 1 }
    let sine = Mathematics.sin(x * Mathematics.pi / 2)
    return sine * sine
  }

  /// One partial: a single bin, or a bell-shaped cluster of bins with the same energy.
  private func add(
    hertz: Double, bin: Int, amplitude: Double, steadiness: Double, _ grid: LoopGrid,
    _ spectrum: inout LoopSpectrum, _ random: inout RandomSource
  ) {
    guard amplitude > 1e-6 else { return }
    let width = hertz * (Mathematics.ratio(cents: spread) - 1) / 2 / grid.spacing
    guard width > 0.05 else {
      spectrum.add(bin: bin, amplitude: amplitude, phase: random.phase())
      return
    }
    let reach = Int((width * 3).rounded(.up))
    var weights = (-reach...reach).map { Mathematics.exp(-Double($0 * $0) / (2 * width * width)) }
    // Part of the energy is exactly in tune, most of it in the lowest harmonics: they decide pitch
    // and level, and a few bins alone would make both drift and surge.
    weights[reach] += weights.reduce(0, +) * steadiness
    let energy = weights.reduce(0, +)
    for (offset, weight) in zip(-reach...reach, weights) {
      spectrum.add(
        bin: bin + offset, amplitude: amplitude * (weight / energy).squareRoot(),
        phase: random.phase())
    }
  }

  private func noise(
    density: (Double) -> Double, _ grid: LoopGrid, _ random: inout RandomSource
  ) -> [Double] {
    var spectrum = LoopSpectrum(length: loopLength)
    // Energy per hertz must not depend on how finely the loop divides the band.
    let scale = grid.spacing.squareRoot() / 10
    for bin in 1..<loopLength * 46 / 100 {
      let hertz = Double(bin) * grid.spacing
      spectrum.add(bin: bin, amplitude: density(hertz) * scale, phase: random.phase())
    }
    return spectrum.waveform()
  }
}
