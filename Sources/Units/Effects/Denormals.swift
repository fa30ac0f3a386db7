import RenderCore

/// Sanitizes the samples of feedback loops.
///
/// Realtime: yes.
enum Denormals {
  /// Flushes invalid and inaudible samples to zero.
  ///
  /// NaN, infinity and values of 1e10 (+200 dBFS) and above would circulate in a feedback loop forever. Values of
  /// 1e-15 (−300 dBFS) and below would decay to denormal numbers, which are slow to process.
  @_noLocks static func sample(_ sample: Float) -> Float {
    let size = abs(sample)
    // Both are false for NaN.
    return size < 1e10 && size > 1e-15 ? sample : 0
  }
}
