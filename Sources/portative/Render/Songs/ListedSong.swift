/// A song as somebody listed it: on the command line, in a folder, or on a line of a manifest.
struct ListedSong: Equatable {
  /// Its path; `-` is standard input.
  var input: String
  /// What it is called below `--directory`.
  var name: String
  /// Where it goes, if that was said.
  var output: String?
  var options: SongOptions
  /// Why it cannot be rendered, if that is known already.
  var problem: Failure?

  init(_ input: String, name: String? = nil, _ options: SongOptions, problem: Failure? = nil) {
    self.input = input
    self.name = name ?? SongPath.lastPart(input)
    self.options = options
    self.problem = problem
  }
}
