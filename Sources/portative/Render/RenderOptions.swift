/// What `portative render` was asked for: values that are valid each by itself.
struct RenderOptions: Equatable {
  var inputs: [String] = []
  /// `-` is standard output.
  var output: String?
  var folder: String?
  /// How each song is rendered.
  var song = SongOptions()

  /// `-` is standard output.
  var report: String?
  /// Processors to use; `nil`: all there are.
  var jobs: Int?
  var isQuiet = false
  var isJSON = false
  var isStrict = false
  var wantsHelp = false

  /// Whether anything will tell how loud the songs are, which costs a little to find out.
  var measuresLoudness: Bool { report != nil || isJSON }
}
