/// Receives the progress of a run's songs.
///
/// Threads: any.
package protocol RenderProgress: Sendable {
  /// A song begins.
  ///
  /// - Parameters:
  ///   - seconds: Its length.
  ///   - weight: Its share of the run's work, in the unit of ``RenderPlan/Job/weight``.
  func begin(seconds: Double, weight: Int) -> SongProgress

  /// A part of a song has been rendered. Called for every block.
  func advance(_ song: inout SongProgress, by seconds: Double)

  /// A song ends, successfully or not.
  ///
  /// - Parameter song: `nil` if it did not begin.
  func end(_ song: SongProgress?, weight: Int)
}

/// What remains of one song.
package struct SongProgress: Sendable {
  /// Seconds.
  package private(set) var left: Double

  package init(seconds: Double) { left = seconds }

  /// - Returns: The seconds by which it advances: at most those that are left.
  package mutating func advance(by seconds: Double) -> Double {
    let step = min(seconds, left)
    left -= step
    return step
  }
}
