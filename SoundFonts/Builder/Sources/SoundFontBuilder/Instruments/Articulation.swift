/// How a recording is played: what the SF2 standard's generators say, in a musician's units.
struct Articulation: Sendable {
  /// Seconds from silence to full level.
  var attack = 0.0
  /// Seconds to fall by 60 dB while the key is held; a recording's own decay goes before it.
  var decay: Double?
  /// Decibels below full level at which the decay ends. Unused without a decay.
  var sustain = 100.0
  /// Seconds to fall by 60 dB after the key is let go.
  var release = 0.25
  /// Hertz; `nil` leaves the filter open.
  var cutoff: Double?
  /// Cents by which the softest note's cutoff lies below that of the loudest.
  var softness = 2_400.0
  /// Resonance of the filter in decibels.
  var resonance = 0.0
  /// The filter's own envelope.
  var sweep: Sweep?
  /// How a decaying tone darkens once its loop holds the spectrum still: the harmonics left at the
  /// end, and the part of its decay that takes. Not used with a sweep of its own.
  var mellowing = (harmonics: 7.0, time: 0.3)
  var vibrato: Wobble?
  /// Depth in decibels.
  var tremolo: Wobble?
  /// Cents by which a note starts off its pitch, and seconds until it is there.
  var scoop: (cents: Double, time: Double)?
  /// -1 left, 0 centre, 1 right.
  var pan = 0.0
  /// How far the keys are spread from left to right, as before the player of a piano; 0...1.
  var width = 0.0
  /// Share of the sound sent to reverb and chorus, before the song's own; 0...1.
  var reverb = 0.12
  var chorus = 0.0
  /// Decibels by which the layer is lowered. FluidSynth, as the hardware did, takes 0.4 of it, so
  /// it serves for rough balance only; levels are in the samples.
  var attenuation = 0.0
  /// Cents added to the pitch.
  var detune = 0.0

  struct Sweep: Sendable {
    var cents: Double
    var attack: Double
    var decay: Double
    /// What is left of the cents after the decay, 0...1.
    var sustain = 0.0
  }

  struct Wobble: Sendable {
    var depth: Double
    var hertz: Double
    /// Seconds before it begins.
    var delay = 0.0
  }
}

extension Articulation {
  /// The generators that say this, apart from key range, sample and loop.
  ///
  /// - Parameters:
  ///   - recorded: The decay the recording left to the envelope, in seconds.
  ///   - key: The key of the recording.
  func generators(decay recorded: Double?, key: Int) -> [Generator: Int] {
    var values: [Generator: Int] = [:]
    if attack > 0 { values[.attackVolEnv] = timecents(attack) }
    if let decay = recorded ?? decay {
      // SF2 counts the time of 100 dB, not of 60.
      values[.decayVolEnv] = timecents(decay / 0.6)
      values[.sustainVolEnv] = Int(sustain * 10)
    }
    values[.releaseVolEnv] = timecents(release / 0.6)
    if let cutoff { values[.initialFilterFc] = absoluteCents(cutoff) }
    if resonance > 0 { values[.initialFilterQ] = Int(resonance * 10) }
    if let recorded, sweep == nil, scoop == nil {
      let open = min(13_500, absoluteCents(cutoff ?? 20_000))
      let end = absoluteCents(max(900, Mathematics.frequency(key: key) * mellowing.harmonics))
      if end < open {
        values[.initialFilterFc] = end
        values[.modEnvToFilterFc] = open - end
        values[.decayModEnv] = timecents(recorded * mellowing.time)
        values[.sustainModEnv] = 1_000
        // The filter stays where it is while the note fades, instead of falling at once.
        values[.releaseModEnv] = timecents(recorded * mellowing.time)
      }
    }
    if let sweep {
      values[.modEnvToFilterFc] = Int(sweep.cents)
      values[.attackModEnv] = timecents(sweep.attack)
      values[.decayModEnv] = timecents(sweep.decay)
      values[.sustainModEnv] = Int((1 - sweep.sustain) * 1_000)
      values[.releaseModEnv] = timecents(sweep.decay)
    }
    if let scoop {
      values[.modEnvToPitch] = Int(scoop.cents)
      values[.decayModEnv] = timecents(scoop.time)
      values[.sustainModEnv] = 1_000
    }
    if let vibrato {
      values[.vibLfoToPitch] = Int(vibrato.depth)
      values[.freqVibLFO] = absoluteCents(vibrato.hertz)
      if vibrato.delay > 0 { values[.delayVibLFO] = timecents(vibrato.delay) }
    }
    if let tremolo {
      values[.modLfoToVolume] = Int(tremolo.depth * 10)
      values[.freqModLFO] = absoluteCents(tremolo.hertz)
      if tremolo.delay > 0 { values[.delayModLFO] = timecents(tremolo.delay) }
    }
    let place = max(-1, min(1, pan + width * Double(key - 60) / 40))
    if place != 0 { values[.pan] = Int(place * 500) }
    if reverb > 0 { values[.reverbEffectsSend] = Int(reverb * 1_000) }
    if chorus > 0 { values[.chorusEffectsSend] = Int(chorus * 1_000) }
    if attenuation > 0 { values[.initialAttenuation] = Int(attenuation * 10) }
    let tune = Int(detune)
    if tune / 100 != 0 { values[.coarseTune] = tune / 100 }
    if tune % 100 != 0 { values[.fineTune] = tune % 100 }
    return values
  }

  /// Softer notes are darker.
  ///
  /// Source: SF2 2.01, section 8.4.2, whose default modulator this one replaces: velocity, linear,
  /// falling, to filter cutoff.
  var modulators: [SoundFont.Modulator] {
    [SoundFont.Modulator(source: 0x0102, destination: .initialFilterFc, amount: -Int(softness))]
  }
}

/// Seconds in the unit of the SF2 standard: 1200 per octave, 0 for one second.
private func timecents(_ seconds: Double) -> Int {
  max(-12_000, Int(Mathematics.cents(ratio: max(seconds, 0.001)).rounded()))
}

/// Hertz in the unit of the SF2 standard: 100 per semitone, 6900 for 440 Hz.
private func absoluteCents(_ hertz: Double) -> Int {
  Int((6_900 + Mathematics.cents(ratio: hertz / 440)).rounded())
}
