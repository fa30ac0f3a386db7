import Glibc

/// How loud a song is made to be, whatever it was when it was rendered.
public enum Normalization: Equatable, Sendable {
  /// By its true peak, in dBTP: −60…0. That is the peak of what is encoded: what a lossy codec makes of it
  /// may overshoot when it is decoded.
  case truePeak(Double)
  /// By its integrated loudness, in LUFS: −70…0; the true peak stays below ``ceiling``.
  case loudness(Double)

  /// The highest true peak of what is normalized by its loudness, in dBTP.
  ///
  /// Source: EBU R 128, "the Maximum Permitted True Peak Level".
  public static let ceiling = -1.0

  /// What was done to a song.
  public struct Outcome: Equatable, Sendable {
    /// Decibels, of the mix and of all its stems.
    public var gain = 0.0
    public var remark: Remark?

    public init(gain: Double = 0, remark: Remark? = nil) {
      self.gain = gain
      self.remark = remark
    }

    /// What every sample is multiplied by.
    var factor: Float {
      // A hair less, lest rounding lift a peak at full scale beyond it.
      gain == 0 ? 1 : Float(pow(10, gain / 20) * (1 - 1e-6))
    }
  }

  /// Why a song is not as loud as was asked for.
  public enum Remark: Equatable, Sendable {
    /// Its peaks would have passed ``ceiling``; this is its loudness now, in LUFS.
    case limited(loudness: Double)
    /// It has no peak: nothing in it is above −90 dBFS.
    case silent
    /// It has no loudness: it is softer than −70 LUFS throughout, or shorter than 0.4 s.
    case unmeasured
  }

  /// What is to be done to a song.
  ///
  /// - Parameters:
  ///   - peak: Its true peak, linear.
  ///   - loudness: Its loudness in LUFS with a gain in decibels; `nil` where it has none.
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

  /// Looks for the gain that makes the loudness `target`; the nearest found, where a block that just counts
  /// makes it leap over that.
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
