import Glibc

/// A reference implementation of the documented resonator, in double precision, string by string.
struct ResonatorReference {
  var sampleRate = 48_000.0
  var decay = Curve(2)
  var damping = Curve(6000)
  var gain = Curve(0)
  var mix = Curve(50)

  /// A played note: the gate of its string's input, and its bend in semitones.
  struct Note {
    var key: Double
    var gate: Curve
    var bends: [(frame: Int, semitones: Double)] = []

    init(key: Double, velocity: Double, from begin: Int, to end: Int, fade: Int = 240) {
      self.key = key
      gate = Curve(0)
      gate.set(velocity * velocity / 127 / 127, at: begin, ramp: fade)
      gate.set(0, at: end, ramp: fade)
    }
  }

  func play(_ input: [Float], _ notes: [Note]) -> [Double] {
    let passed = highPass(input)
    var strings = [Double](repeating: 0, count: input.count)
    for note in notes {
      for (frame, sample) in string(passed, note).enumerated() { strings[frame] += sample }
    }
    return strings.indices.map { frame in
      let wet = mix.value(frame) / 100
      return Double(input[frame]) * (1 - wet)
        + strings[frame] * wet * pow(10, gain.value(frame) / 20)
    }
  }

  private func highPass(_ input: [Float]) -> [Double] {
    let rest = exp(-2 * .pi * 10 / sampleRate)
    var (last, passed) = (0.0, 0.0)
    return input.map { sample in
      passed = Double(sample) - last + rest * passed
      last = Double(sample)
      return passed
    }
  }

  private func string(_ input: [Double], _ note: Note) -> [Double] {
    var past: [Double] = []
    var low = 0.0
    // The delay ramps to each new target within 5 ms.
    var (delay, target, step, left) = (0.0, 0.0, 0.0, 0)
    for frame in input.indices {
      let bend = note.bends.last { $0.frame <= frame }?.semitones ?? 0
      let period = sampleRate / (440 * pow(2, (note.key + bend - 69) / 12))
      let rest =
        damping.value(frame) >= 20_000 ? 0 : exp(-2 * .pi * damping.value(frame) / sampleRate)
      let wanted = period - lowPassDelay(rest, 2 * .pi / period)
      if frame == 0 { (delay, target) = (wanted, wanted) }
      if wanted != target { (target, step, left) = (wanted, (wanted - delay) / 240, 240) }
      let feedback = pow(10, -3 * period / (decay.value(frame) * sampleRate))
      low += (1 - rest) * (past.read(delay) - low)
      let drive = note.gate.value(frame) * (1 - feedback * feedback).squareRoot()
      past.append(input[frame] * drive + low * feedback)
      if left > 0 {
        left -= 1
        delay = left == 0 ? target : delay + step
      }
    }
    return past
  }

  /// Derived from the complex response 1 / (1 − rest · z⁻¹).
  private func lowPassDelay(_ rest: Double, _ turn: Double) -> Double {
    atan(rest * sin(turn) / (1 - rest * cos(turn))) / turn
  }
}
