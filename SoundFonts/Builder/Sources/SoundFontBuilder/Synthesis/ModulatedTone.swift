/// Sine waves whose phase is moved by other sine waves.
///
/// Source: Chowning, "The synthesis of complex audio spectra by means of frequency modulation",
/// 1973. All ratios are whole numbers, so every wave closes at the end of the loop.
struct ModulatedTone {
  struct Pair {
    /// Multiples of the note's frequency.
    var carrier: Double
    var modulator: Double
    /// Radians by which the phase swings at the start, and once the loop is reached.
    var index: (start: Double, end: Double)
    /// Seconds for the swing to fall by 60 dB towards its end value.
    var indexDecay: Double
    var amplitude: Double
    /// Seconds for the amplitude to fall by 60 dB; `nil` for a held tone.
    var decay: Double?
  }

  var pairs: [Pair]
  /// Seconds.
  var attack = 0.002
  var sampleRate = 32_000.0
  var length = 0.6
  var loopLength = 4_096

  func record(_ name: String, key: Int) -> Recording {
    let grid = LoopGrid(
      frequency: Mathematics.frequency(key: key), nominalRate: sampleRate, length: loopLength)
    let rate = Double(grid.sampleRate)
    let lead = Int(length * rate)
    let shared = pairs.compactMap(\.decay).max()
    var frames = [Double](repeating: 0, count: lead + loopLength + Recording.margin)
    for pair in pairs {
      let net = (pair.decay.map { 1 / $0 } ?? 0) - (shared.map { 1 / $0 } ?? 0)
      let fade = Mathematics.exp(-6.907755 * net / rate)
      let settle = Mathematics.exp(-6.907755 / (pair.indexDecay * rate))
      var amplitude = pair.amplitude
      var extra = pair.index.start - pair.index.end
      for index in frames.indices {
        let turn = ((index - lead) * grid.periods % loopLength + loopLength) % loopLength
        let angle = Mathematics.twoPi * Double(turn) / Double(loopLength)
        let swing = (pair.index.end + extra) * Mathematics.sin(angle * pair.modulator)
        frames[index] += amplitude * Mathematics.sin(angle * pair.carrier + swing)
        if index < lead {
          amplitude *= fade
          extra *= settle
        }
      }
    }
    let rise = attack * rate
    for index in 0..<min(lead, Int(rise)) { frames[index] *= Double(index) / rise }
    return Recording(
      name: name, frames: frames, loop: lead..<lead + loopLength, sampleRate: grid.sampleRate,
      key: key, decay: shared)
  }
}
