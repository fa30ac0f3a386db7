package import LocalSystem

/// The outcome of a song.
package enum SongOutcome: Sendable {
  case rendered(RenderedSong)
  /// The song was already rendered by an earlier run.
  case kept(RenderReport.Song)
  /// The song would be rendered; a dry run does not render it.
  case planned(PlannedSong)
  case failed(Failure)
}
