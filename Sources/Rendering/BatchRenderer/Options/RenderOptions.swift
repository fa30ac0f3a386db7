package import OfflineRenderer

/// The options of a run. Each value is valid by itself; ``validate(isJSON:)`` checks the combination.
package struct RenderOptions: Equatable, Sendable {
  /// Paths of songs and of folders with songs.
  package var inputs: [String] = []
  /// The path of a file that lists songs; `-` is standard input.
  package var manifest: String?
  /// The path of the output file; `-` is standard output.
  package var output: String?
  /// The folder that the output files are written to.
  package var folder: String?
  /// Whether the files of songs in folders are written beside the songs.
  package var writesBesideSongs = false
  /// Whether to replace files that Portative did not write, or that were changed since.
  package var overwrites = false
  /// Whether the search in folders follows symbolic links and enters other file systems.
  package var reach = SongFinder.Reach()
  /// Whether to report what would be written, without writing it.
  package var isDryRun = false
  /// How each song is rendered, unless a manifest gives other options for it.
  package var song = SongOptions()

  /// The path of the report; `-` is standard output.
  package var report: String?
  /// The number of processors to use; `nil`: all.
  package var jobs: Int?
  /// The processor time in seconds after which a song without progress is ended.
  package var maximumStall = 300
  /// The part of the list to render; `nil`: the whole list.
  package var shard: Shard?
  /// Whether to keep songs that the report lists as rendered if their files are unchanged.
  package var resumes = false
  /// Whether to refuse songs that have warnings.
  package var isStrict = false
  /// The messages without effect for which a song is refused.
  package var refused: Set<IgnoredMessages.Category> = []
  /// Whether to measure the loudness even if there is no report. Measuring takes a little time.
  package var measuresLoudness = false

  package init() {}
}
