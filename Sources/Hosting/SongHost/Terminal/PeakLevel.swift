/// How loud a channel is, and was in the last seconds.
///
/// Realtime: yes.
package struct PeakLevel: Equatable, Sendable, BitwiseCopyable {
  /// The greatest sample that was followed last: full scale is 1.
  package private(set) var peak: Float = 0
  /// The greatest of the last ``holdTime``.
  package private(set) var held: Float = 0
  /// Since it was the greatest.
  private var seconds = 0.0

  /// In seconds.
  package static var holdTime: Double { @_noLocks get { 2 } }

  @_noLocks package init() {}

  /// - Parameters:
  ///   - peak: The greatest sample, whatever its sign.
  ///   - seconds: How long it is since the last one.
  @_noLocks package mutating func follow(_ peak: Float, after seconds: Double) {
    self.peak = peak
    self.seconds += seconds
    // Not below: NaN is to be seen, too.
    if !(peak < held) || self.seconds > Self.holdTime {
      held = peak
      self.seconds = 0
    }
  }
}
