/// The current peak level of a channel, and the highest of the last seconds.
///
/// Realtime: yes.
package struct PeakLevel: Equatable, Sendable, BitwiseCopyable {
  /// The latest peak; full scale is 1.
  package private(set) var peak: Float = 0
  /// The highest peak of the last ``holdTime``.
  package private(set) var held: Float = 0
  /// The time since ``held`` was set, in seconds.
  private var seconds = 0.0

  /// How long ``held`` is kept, in seconds.
  package static var holdTime: Double { @_noLocks get { 2 } }

  @_noLocks package init() {}

  /// Updates the levels.
  ///
  /// - Parameters:
  ///   - peak: The greatest absolute sample.
  ///   - seconds: The time since the previous update.
  @_noLocks package mutating func follow(_ peak: Float, after seconds: Double) {
    self.peak = peak
    self.seconds += seconds
    // Not `peak >= held`, so that NaN is shown too.
    if !(peak < held) || self.seconds > Self.holdTime {
      held = peak
      self.seconds = 0
    }
  }
}
