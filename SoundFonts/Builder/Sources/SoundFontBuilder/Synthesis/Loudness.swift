extension Recording {
  /// Decibels of the first 0.4 s of a held note, weighted as the ear hears them.
  ///
  /// Source: ITU-R BS.1770-4: its pre-filter, its 400 ms block, its offset of -0.691 dB.
  var loudness: Double {
    let rate = Double(sampleRate)
    // The standard's 1681.97 Hz are those of the poles; the shelf's middle lies a quarter of its
    // gain below.
    var shelf = Filter.highShelf(1_499.0, gain: 4, rate: rate, q: 0.7072)
    var highPass = Filter.highPass(38.14, rate: rate, q: 0.5003)
    let perFrame = decay.map { Mathematics.exp(-6.907755 / ($0 * rate)) } ?? 1
    var envelope = 1.0
    var energy = 0.0
    let count = Int(0.4 * rate)
    for position in 0..<count {
      let y = highPass.process(shelf.process(frame(at: position) * envelope))
      energy += y * y
      envelope *= perFrame
    }
    return Mathematics.decibels(amplitude: (energy / Double(count) + 1e-12).squareRoot()) - 0.691
  }

  /// Scales to `loudness` decibels, or as near to it as full scale allows.
  ///
  /// Levels are baked into the samples because players disagree about the attenuation generator:
  /// the hardware it describes halved it, and FluidSynth follows the hardware.
  func scaled(to target: Double) -> Recording {
    var copy = self
    let peak = frames.reduce(1e-9) { max($0, abs($1)) }
    let wanted = Mathematics.amplitude(decibels: target - loudness)
    // A stroke's first peak may be rounded off: that is heard as loudness. A held tone's may not:
    // every period has it, and that would be heard as distortion.
    guard loop == nil, wanted * peak > 0.7 else {
      let gain = min(wanted, 0.97 / peak)
      copy.frames = frames.map { $0 * gain }
      return copy
    }
    let gain = min(wanted, 2 / peak)
    copy.frames = frames.map { frame in
      let x = frame * gain
      return 0.97 * x / (1 + x * x * x * x).squareRoot().squareRoot()
    }
    return copy
  }
}
