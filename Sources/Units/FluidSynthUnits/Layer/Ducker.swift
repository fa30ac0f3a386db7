import CRender
import RenderCore

/// Turns a level down while another signal sounds.
///
/// It follows the peaks of that signal: up within the attack, down within the release, each the time for 63 % of
/// the way. From −20 dBFS on the level is down by the whole amount; below, by the part of it that the peaks are
/// of −20 dBFS. Peaks below −120 dBFS count as silence, for FluidSynth's reverb never gives less than −160 dBFS.
///
/// Realtime: yes. What it follows has to be finite.
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
  /// Where a release ends, before numbers are denormal.
  private static var end: Double { @_noLocks get { 1e-10 } }

  /// Goes on by a frame.
  ///
  /// - Parameters:
  ///   - left: Of the signal that is followed.
  ///   - right: The same.
  ///   - amount: Decibels: 0 or more.
  ///   - attack: Milliseconds: above 0.
  ///   - release: The same.
  /// - Returns: The factor for this frame: 1, to the bit, where `amount` is 0.
  @_noLocks mutating func next(
    _ left: Float, _ right: Float, amount: Float, attack: Float, release: Float
  ) -> Float {
    self.attack.set(attack, rate)
    self.release.set(release, rate)
    var peak = Double(max(abs(left), abs(right)))
    if peak < Self.silence { peak = 0 }
    let slope = peak > envelope ? self.attack.part : self.release.part
    envelope += (peak - envelope) * slope
    if envelope < Self.end { envelope = 0 }
    return Decibels.factor(-amount * Float(min(1, envelope / Self.threshold)))
  }

  /// What part of the way is gone in a frame, reckoned when the time changes.
  private struct Slope: BitwiseCopyable {
    private var time: Float = 0
    private(set) var part = 1.0

    @_noLocks init() {}

    @_noLocks mutating func set(_ milliseconds: Float, _ rate: Double) {
      if milliseconds == time { return }
      time = milliseconds
      // 1 − e^(−1 / frames)
      part = 1 - maths_exp2(-1.442_695_040_888_963_4 * 1000 / (Double(milliseconds) * rate))
    }
  }
}
