import CRender
import RenderCore

/// Attenuates one signal while another signal, the sidechain, sounds.
///
/// A peak follower tracks the sidechain. It rises with the attack time and falls with the release time; each is
/// the time constant, for 63 % of the way. If the envelope is at −20 dBFS or above, the attenuation is the full
/// amount in decibels; below, it is the amount times the ratio of the envelope to −20 dBFS. Peaks below
/// −120 dBFS count as silence, because FluidSynth's reverb never falls below −160 dBFS.
///
/// Realtime: yes. The sidechain must be finite.
struct Ducker: BitwiseCopyable {
  private let rate: Double
  private var envelope = 0.0
  private var attack: Slope
  private var release: Slope

  /// - Parameter rate: Frames per second.
  init(rate: Int) {
    self.rate = Double(rate)
    attack = Slope()
    release = Slope()
  }

  private static var threshold: Double { @_noLocks get { 0.1 } }
  private static var silence: Double { @_noLocks get { 1e-6 } }
  /// The level at which a release ends, well above denormal numbers.
  private static var end: Double { @_noLocks get { 1e-10 } }

  /// Advances by one frame.
  ///
  /// - Parameters:
  ///   - left: The left sample of the sidechain.
  ///   - right: The right sample of the sidechain.
  ///   - amount: The maximum attenuation in decibels, 0 or more.
  ///   - attack: The attack time in milliseconds, above 0.
  ///   - release: The release time in milliseconds, above 0.
  /// - Returns: The gain for this frame: exactly 1 if `amount` is 0.
  @_noLocks mutating func next(
    _ left: Float, _ right: Float, amount: Float, attack: Float, release: Float
  ) -> Float {
    self.attack.set(attack, rate)
    self.release.set(release, rate)
    var peak = Double(max(abs(left), abs(right)))
    if peak < Self.silence { peak = 0 }
    let slope = peak > envelope ? self.attack.coefficient : self.release.coefficient
    envelope += (peak - envelope) * slope
    if envelope < Self.end { envelope = 0 }
    return Decibels.factor(-amount * Float(min(1, envelope / Self.threshold)))
  }

  /// The smoothing coefficient of a time constant, recomputed only when the time changes.
  private struct Slope: BitwiseCopyable {
    private var time: Float = 0
    /// The fraction of the remaining difference covered per frame.
    private(set) var coefficient = 1.0

    @_noLocks init() {}

    @_noLocks mutating func set(_ milliseconds: Float, _ rate: Double) {
      if milliseconds == time { return }
      time = milliseconds
      // 1 − e^(−1 / frames)
      coefficient = 1 - maths_exp2(-1.442_695_040_888_963_4 * 1000 / (Double(milliseconds) * rate))
    }
  }
}
