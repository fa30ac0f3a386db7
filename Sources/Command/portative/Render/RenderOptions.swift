/// What `portative render` was asked for: values that are valid each by itself.
struct RenderOptions: Equatable {
  /// Songs, and folders of songs.
  var inputs: [String] = []
  /// A file that lists songs; `-` is standard input.
  var manifest: String?
  /// `-` is standard output.
  var output: String?
  var folder: String?
  /// Whether the songs in folders have their files beside them.
  var isBeside = false
  /// Whether files are replaced that Portative did not write.
  var overwrites = false
  /// How far the songs in folders are looked for.
  var reach = SongFinder.Reach()
  /// Whether nothing is written, and only told what would be.
  var isDryRun = false
  /// How each song is rendered.
  var song = SongOptions()

  /// `-` is standard output.
  var report: String?
  /// Processors to use; `nil`: all there are.
  var jobs: Int?
  /// Which part of the list is rendered; `nil`: all.
  var shard: Shard?
  /// Whether what the report says is done, and is there, is left as it is.
  var resumes = false
  var isVerbose = false
  var isQuiet = false
  var isJSON = false
  var isStrict = false
  var wantsHelp = false

  /// Whether anything will tell how loud the songs are, which costs a little to find out.
  var measuresLoudness: Bool { report != nil || isJSON }

  /// Whether anybody will want to know whether the same songs were rendered in the same way.
  var needsHashes: Bool { report != nil }
}
