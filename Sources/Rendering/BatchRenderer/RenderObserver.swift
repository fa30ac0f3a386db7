package import Configuration

/// Receives what happens during a run.
package protocol RenderObserver: Sendable {
  /// Called before the songs, by the only thread, with those that a process has reported that then crashed.
  func willContinue(after ended: [RenderPlan.Job])

  /// Called by any thread when a SoundFont plays its first song, so that an error that precedes it stands alone.
  func willPlay(with soundFont: FoundSoundFont)

  /// Called by the thread that renders the song.
  ///
  /// - Parameter seconds: The length of the song.
  func didBegin(_ job: RenderPlan.Job, seconds: Double)

  /// Called by the thread that renders the song, for every block.
  ///
  /// - Parameter seconds: The length of the block.
  func didAdvance(_ job: RenderPlan.Job, by seconds: Double)

  /// Called by one thread at a time when a song is done, whether it began or not; in a dry run, in the order of the
  /// list when all songs are planned.
  func didEnd(_ job: RenderPlan.Job, _ outcome: SongOutcome)
}
