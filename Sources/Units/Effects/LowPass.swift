import CRender

/// The coefficients of a one-pole low-pass filter: y[n] = (1 − pole) · x[n] + pole · y[n − 1].
///
/// Realtime: yes.
struct LowPass: BitwiseCopyable {
  let inputGain: Float
  let pole: Float

  /// The frequency from which on the filter passes every sample unchanged, in Hz.
  static var open: Float { @_noLocks get { 20_000 } }

  /// - Parameters:
  ///   - frequency: The cutoff frequency (−3 dB), in Hz.
  ///   - sampleRate: Frames per second.
  @_noLocks init(frequency: Float, sampleRate: Double) {
    let angle = 2 * Double.pi * Double(frequency) / sampleRate
    // e^(−angle)
    let pole = frequency >= Self.open ? 0 : maths_exp2(-angle * 1.442_695_040_888_963_4)
    self.pole = Float(pole)
    inputGain = Float(1 - pole)
  }

  /// Filters one sample.
  ///
  /// - Parameter state: The previous output; updated.
  @_noLocks func process(_ sample: Float, _ state: inout Float) -> Float {
    state = Denormals.sample(sample * inputGain + state * pole)
    return state
  }

  /// Returns the phase delay in frames.
  ///
  /// - Parameter angle: The angular frequency in radians per frame, above 0.
  @_noLocks func delay(atAngle angle: Double) -> Double {
    let pole = Double(pole)
    return maths_atan2(pole * maths_sin(angle), 1 - pole * maths_cos(angle)) / angle
  }
}
