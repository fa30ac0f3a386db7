import CRender
import RenderCore

/// The settings of the strings between two parameter changes.
///
/// Realtime: yes.
struct ResonatorSettings: BitwiseCopyable {
  let sampleRate: Double
  /// The time in frames in which a string decays by 60 dB.
  let decay: Double
  let damping: LowPass
  let gain: Float
  let mix: Float

  @_noLocks init(_ values: ParameterValues, sampleRate: Double) {
    self.sampleRate = sampleRate
    decay = Double(values[.decay]) * sampleRate
    damping = LowPass(frequency: values[.damping], sampleRate: sampleRate)
    // 20 dB are log₂(10) doublings.
    gain = Float(maths_exp2(Double(values[.gain]) * 3.321_928_094_887_362 / 20))
    mix = values[ResonatorParameter.mix] / 100
  }
}
