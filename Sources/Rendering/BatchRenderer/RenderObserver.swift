/// Receives the progress of a run's songs.
///
/// Threads: any.
package protocol RenderProgress: Sendable {
  /// Called when a song begins.
  ///
  /// - Parameters:
  ///   - seconds: The length of the song.
  ///   - weight: The song's share of the run's work, in the unit of ``RenderPlan/Job/weight``.
  func begin(seconds: Double, weight: Int) -> SongProgress

  /// Called for every rendered block of a song, with its length in seconds.
  func advance(_ song: inout SongProgress, by seconds: Double)

  /// Called when a song ends, successfully or not.
  ///
  /// - Parameters:
  ///   - song: The song's progress; `nil` if the song did not begin.
  ///   - weight: As for ``begin(seconds:weight:)``.
  func end(_ song: SongProgress?, weight: Int)
}

/// The progress of one song.
package struct SongProgress: Sendable {
  /// The remaining length in seconds.
  package private(set) var left: Double

  package init(seconds: Double) { left = seconds }

  /// Advances the song by at most the remaining length.
  ///
  /// - Returns: The seconds by which it has advanced.
  package mutating func advance(by seconds: Double) -> Double {
    let step = min(seconds, left)
    left -= step
    return step
  }
}
