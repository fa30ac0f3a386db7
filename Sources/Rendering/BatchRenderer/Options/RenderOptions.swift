/// The options of `portative render`. Each value is valid by itself; the combination may not be.
package struct RenderOptions: Equatable {
  /// Paths of songs and of folders with songs.
  package var inputs: [String] = []
  /// The path of a file that lists songs; `-` is standard input.
  package var manifest: String?
  /// The path of the output file; `-` is standard output.
  package var output: String?
  /// The folder that the output files are written to.
  package var folder: String?
  /// Whether the files of songs in folders are written beside the songs.
  package var isBeside = false
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
  /// The part of the list to render; `nil`: the whole list.
  package var shard: Shard?
  /// Whether to keep songs that the report lists as rendered if their files are unchanged.
  package var resumes = false
  package var isVerbose = false
  package var isQuiet = false
  package var isJSON = false
  package var isStrict = false
  package var wantsHelp = false

  package init() {}

  /// Whether the loudness is reported. Measuring it takes a little time.
  package var measuresLoudness: Bool { report != nil || isJSON }

  /// Whether input and output files are hashed for the report, which shows whether the same songs were rendered in the
  /// same way.
  package var needsHashes: Bool { report != nil }
}
