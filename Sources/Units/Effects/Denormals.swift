import RenderCore

/// What may go round in a feedback.
///
/// Realtime: yes.
enum Denormals {
  /// Makes silence of what is no sound, which would go round for ever, and of what is below −300 dBFS: on its way
  /// to nothing it would else become numbers so small that processors are slow with them.
  @_noLocks static func sample(_ sample: Float) -> Float {
    let size = abs(sample)
    // Both are false for NaN.
    return size < 1e10 && size > 1e-15 ? sample : 0
  }
}
