import Glibc

/// The target level of a song.
public enum Normalization: Equatable, Sendable {
  /// A true peak in dBTP, −60…0. It is measured before encoding: the decoded output of a lossy codec may overshoot.
  case truePeak(Double)
  /// An integrated loudness in LUFS, −70…0; the true peak is limited to ``ceiling``.
  case loudness(Double)

  /// The highest true peak after normalization by loudness, in dBTP.
  ///
  /// Source: EBU R 128, "the Maximum Permitted True Peak Level".
  public static let ceiling = -1.0

  /// The normalization applied to a song.
  public struct Outcome: Equatable, Sendable {
    /// The gain of the mix and of all its stems, in decibels.
    public var gain = 0.0
    public var remark: Remark?

    public init(gain: Double = 0, remark: Remark? = nil) {
      self.gain = gain
      self.remark = remark
    }

    /// The linear factor for every sample.
    var factor: Float {
      // Slightly less, so that rounding cannot raise a peak beyond full scale.
      gain == 0 ? 1 : Float(pow(10, gain / 20) * (1 - 1e-6))
    }
  }

  /// The reason why a song does not have the requested level.
  public enum Remark: Equatable, Sendable {
    /// Its peaks would exceed ``ceiling``; the value is its resulting loudness in LUFS.
    case limited(loudness: Double)
    /// It is silent: no sample is above −90 dBFS.
    case silent
    /// Its loudness is undefined: it is below −70 LUFS throughout, or shorter than 0.4 s.
    case unmeasured
  }

  /// Calculates the normalization of a song.
  ///
  /// - Parameters:
  ///   - peak: The true peak of the song, linear.
  ///   - loudness: Returns the loudness in LUFS for a gain in decibels; `nil` if it is undefined.
  func outcome(
    truePeak peak: Double, loudness: (_ gain: Double) -> Double?
  ) -> Outcome {
    let level = 20 * log10(peak)
    switch self {
    case .truePeak(let target):
      return level > -90 ? Outcome(gain: target - level) : Outcome(remark: .silent)
    case .loudness(let target):
      guard let wanted = Self.gain(for: target, loudness) else {
        return Outcome(remark: .unmeasured)
      }
      let possible = Self.ceiling - level
      if wanted <= possible { return Outcome(gain: wanted) }
      return Outcome(
        gain: possible, remark: .limited(loudness: loudness(possible) ?? target + possible - wanted)
      )
    }
  }

  /// Searches the gain for a loudness of `target`. Returns the nearest one found, because the loudness may jump over
  /// the target when a block passes the gate.
  private static func gain(for target: Double, _ loudness: (Double) -> Double?) -> Double? {
    var gain = 0.0
    var best: (gain: Double, error: Double)?
    for _ in 0..<20 {
      guard let reached = loudness(gain) else { break }
      let error = target - reached
      if abs(error) < abs(best?.error ?? .infinity) { best = (gain, error) }
      if abs(error) < 0.001 { break }
      gain += error
    }
    return best?.gain
  }
}
