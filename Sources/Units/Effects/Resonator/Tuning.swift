import CRender

/// What makes a comb filter sound at a pitch.
///
/// Realtime: yes.
struct Tuning: BitwiseCopyable {
  /// Of the line, in frames; together with the low-pass it makes the period.
  let delay: Double
  /// What is left after one period.
  let feedback: Float
  /// What is let in, so that the power of noise stays.
  let drive: Float

  /// - Parameter key: Of MIDI, with fractions.
  @_noLocks init(key: Double, _ settings: ResonatorSettings) {
    var period = settings.sampleRate / (440 * maths_exp2((key - 69) / 12))
    var delay = Self.delay(period, settings.damping)
    while delay < CubicTaps.shortest {
      period *= 2
      delay = Self.delay(period, settings.damping)
    }
    self.delay = delay
    // 10 to the power of −3 is 2 to that of −9.97.
    let feedback = maths_exp2(-9.965_784_284_662_087 * period / settings.decay)
    self.feedback = Float(feedback)
    drive = Float(maths_sqrt(1 - feedback * feedback))
  }

  @_noLocks private static func delay(_ period: Double, _ damping: LowPass) -> Double {
    period - damping.delay(atTurn: 2 * Double.pi / period)
  }
}
