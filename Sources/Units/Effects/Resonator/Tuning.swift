import CRender

/// The coefficients of a comb filter that is tuned to a pitch.
///
/// Realtime: yes.
struct Tuning: BitwiseCopyable {
  /// The delay of the line in frames; the period is this plus the delay of the low-pass filter.
  let delay: Double
  /// The gain of the feedback, per period.
  let feedback: Float
  /// The gain of the input that preserves the power of noise.
  let drive: Float

  /// - Parameter key: The MIDI key, with a fraction.
  @_noLocks init(key: Double, _ settings: ResonatorSettings) {
    var period = settings.sampleRate / (440 * maths_exp2((key - 69) / 12))
    var delay = Self.delay(period, settings.damping)
    while delay < CubicTaps.shortest {
      period *= 2
      delay = Self.delay(period, settings.damping)
    }
    self.delay = delay
    // 10^−3 = 2^−9.97
    let feedback = maths_exp2(-9.965_784_284_662_087 * period / settings.decay)
    self.feedback = Float(feedback)
    drive = Float(maths_sqrt(1 - feedback * feedback))
  }

  @_noLocks private static func delay(_ period: Double, _ damping: LowPass) -> Double {
    period - damping.delay(atAngle: 2 * Double.pi / period)
  }
}
