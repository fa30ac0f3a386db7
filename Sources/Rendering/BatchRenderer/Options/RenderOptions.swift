/// What `portative render` was asked for: values that are valid each by itself.
package struct RenderOptions: Equatable {
  /// Songs, and folders of songs.
  package var inputs: [String] = []
  /// A file that lists songs; `-` is standard input.
  package var manifest: String?
  /// `-` is standard output.
  package var output: String?
  package var folder: String?
  /// Whether the songs in folders have their files beside them.
  package var isBeside = false
  /// Whether files are replaced that Portative did not write.
  package var overwrites = false
  /// How far the songs in folders are looked for.
  package var reach = SongFinder.Reach()
  /// Whether nothing is written, and only told what would be.
  package var isDryRun = false
  /// How each song is rendered.
  package var song = SongOptions()

  /// `-` is standard output.
  package var report: String?
  /// Processors to use; `nil`: all there are.
  package var jobs: Int?
  /// Which part of the list is rendered; `nil`: all.
  package var shard: Shard?
  /// Whether what the report says is done, and is there, is left as it is.
  package var resumes = false
  package var isVerbose = false
  package var isQuiet = false
  package var isJSON = false
  package var isStrict = false
  package var wantsHelp = false

  package init() {}

  /// Whether anything will tell how loud the songs are, which costs a little to find out.
  package var measuresLoudness: Bool { report != nil || isJSON }

  /// Whether anybody will want to know whether the same songs were rendered in the same way.
  package var needsHashes: Bool { report != nil }
}
