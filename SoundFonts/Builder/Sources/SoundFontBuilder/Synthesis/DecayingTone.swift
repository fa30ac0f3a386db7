/// One way a struck or plucked body vibrates.
struct Mode {
  var hertz: Double
  var amplitude: Double
  /// Seconds to fall by 60 dB.
  var decay: Double
  /// The part of the energy that stays behind in a slower decay, and that decay in seconds:
  /// a piano's strings first pull together, then against each other (Weinreich, 1977).
  var aftersound: (share: Double, decay: Double)?
}

/// A burst of filtered noise: hammer felt, a plectrum, breath, snare wires.
struct NoiseBurst {
  /// Hertz.
  var band: ClosedRange<Double>
  var amplitude: Double
  /// Seconds to fall by 60 dB.
  var decay: Double
  /// Seconds before it starts.
  var delay = 0.0
  /// Seconds to full level.
  var attack = 0.0005
}

/// A tone that is struck or plucked and then left to itself: a sum of decaying modes.
///
/// Source: Adrien, "The missing link: modal synthesis", 1991; the decays and frequencies of each
/// instrument stand beside it.
///
/// To loop, modes are moved to the nearest bin of the loop, the slowest decay is taken out of the
/// recording and given to the volume envelope, and from the loop on every mode keeps its level.
struct DecayingTone {
  var modes: [Mode]
  var noise: [NoiseBurst] = []
  /// Seconds in which the modes rise; a soft mallet takes longer than a plectrum.
  var onset = 0.001
  /// Depth of the slow beating of each mode, as of strings not quite in unison; 0...0.5.
  var beating = 0.0
  /// The modes start higher by a factor and come down in so many seconds, as a skin does that was
  /// stretched by the blow. Only for tones without a loop.
  var glide: (ratio: Double, time: Double)?
  var sampleRate = 32_000.0
  /// Seconds before the loop, or the whole length if `loopLength` is 0.
  var length = 0.8
  /// Frames in the loop; 0 for a tone recorded to its end.
  var loopLength = 8_192

  func record(_ name: String, key: Int) -> Recording {
    var random = RandomSource(name)
    let looped = loopLength > 0
    let grid = LoopGrid(
      frequency: Mathematics.frequency(key: key), nominalRate: sampleRate,
      length: looped ? loopLength : 8_192)
    let rate = Double(looped ? grid.sampleRate : Int(sampleRate))
    let lead = Int(length * rate)
    let shared = looped ? modes.reduce(0.01) { max($0, $1.aftersound?.decay ?? $1.decay) } : nil

    var frames = [Double](repeating: 0, count: lead + (looped ? loopLength + Recording.margin : 0))
    for mode in modes where mode.hertz < rate * 0.47 {
      let hertz = looped ? Double(grid.bin(mode.hertz)) * grid.spacing : mode.hertz
      add(mode, at: hertz, until: looped ? lead : frames.count, rate, shared, &frames, &random)
    }
    fadeIn(&frames, rate)
    // After the fade: noise has an attack of its own.
    for burst in noise { burst.add(to: &frames, until: lead, rate: rate, &random) }
    if !looped { fadeOut(&frames, rate) }
    return Recording(
      name: name, frames: frames, loop: looped ? lead..<lead + loopLength : nil,
      sampleRate: Int(rate), key: key, decay: shared)
  }

  private func add(
    _ mode: Mode, at hertz: Double, until freeze: Int, _ rate: Double, _ shared: Double?,
    _ frames: inout [Double], _ random: inout RandomSource
  ) {
    func perFrame(_ decay: Double) -> Double {
      let net = 1 / decay - (shared.map { 1 / $0 } ?? 0)
      return Mathematics.exp(-6.907755 * net / rate)
    }
    let share = mode.aftersound?.share ?? 0
    let fast = perFrame(mode.decay)
    let slow = mode.aftersound.map { perFrame($0.decay) } ?? 1
    var first = mode.amplitude * (1 - share)
    var second = mode.amplitude * share
    var (sine, cosine) = Mathematics.sineAndCosine(random.phase())
    var turn = Mathematics.sineAndCosine(Mathematics.twoPi * hertz / rate)
    // Slow enough not to be heard as roughness: once per loop where that is slow, so that the beat
    // loops with the tone, otherwise at its own pace until the loop holds it.
    let slowest = loopLength > 0 && Double(loopLength) > 0.25 * rate
    let beat =
      Mathematics.twoPi
      * (slowest ? 1 / Double(loopLength) : (0.6 + 1.8 * random.unit()) / rate)
    let beatTurn = Mathematics.sineAndCosine(beat)
    var (beatSine, beatCosine) = Mathematics.sineAndCosine(random.phase())
    for index in frames.indices {
      if let glide, index % 16 == 0 {
        let bend = 1 + (glide.ratio - 1) * Mathematics.exp(-Double(index) / (glide.time * rate))
        turn = Mathematics.sineAndCosine(Mathematics.twoPi * hertz * bend / rate)
      }
      frames[index] += (first + second) * sine * (1 + beating * beatSine)
      (sine, cosine) = (
        sine * turn.cosine + cosine * turn.sine, cosine * turn.cosine - sine * turn.sine
      )
      if beating > 0, slowest || index < freeze {
        (beatSine, beatCosine) = (
          beatSine * beatTurn.cosine + beatCosine * beatTurn.sine,
          beatCosine * beatTurn.cosine - beatSine * beatTurn.sine
        )
      }
      if index < freeze {
        first *= fast
        second *= slow
      }
    }
  }

  private func fadeIn(_ frames: inout [Double], _ rate: Double) {
    let count = min(frames.count, max(1, Int(onset * rate)))
    for index in 0..<count {
      let sine = Mathematics.sin(Double(index) / Double(count) * Mathematics.pi / 2)
      frames[index] *= sine * sine
    }
  }

  /// The last 10 ms, so that a recording cut short does not click.
  private func fadeOut(_ frames: inout [Double], _ rate: Double) {
    let count = min(frames.count, Int(0.01 * rate))
    for index in 0..<count { frames[frames.count - 1 - index] *= Double(index) / Double(count) }
  }
}

extension NoiseBurst {
  /// Adds the burst; it is brought to silence by frame `end`, where a loop may begin.
  func add(
    to frames: inout [Double], until end: Int, rate: Double, _ random: inout RandomSource
  ) {
    var low = Filter.highPass(band.lowerBound, rate: rate)
    var high = Filter.lowPass(band.upperBound, rate: rate)
    // White noise through a narrow band is weak; make `amplitude` mean the level that comes out.
    let width = min(band.upperBound, rate / 2) - band.lowerBound
    let scale = amplitude * (rate / 2 / max(width, 20)).squareRoot()
    let perFrame = Mathematics.exp(-6.907755 / (decay * rate))
    let start = Int(delay * rate)
    let rise = max(1, attack * rate)
    var envelope = scale
    guard start < end else { return }
    for index in start..<end {
      let since = Double(index - start)
      let left = min(1, Double(end - index) / (0.02 * rate))
      frames[index] +=
        high.process(low.process(random.bipolar())) * envelope * min(1, since / rise) * left
      envelope *= perFrame
      if envelope < scale * 1e-5 { return }
    }
  }
}
