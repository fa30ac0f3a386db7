import LocalSystem

/// A song from the command line, a folder, or a line of a manifest.
struct SongRequest: Equatable {
  /// The path; `-` is standard input.
  var input: String
  /// The path of the output file below `--directory`, with the ending of the input.
  var name: String
  /// The folder in which the song was found, below which no symbolic link is followed; `nil`: links are followed.
  var root: String?
  /// The path of the output file; `nil`: not given.
  var output: String?
  var options: SongOptions
  /// The reason why the song cannot be rendered, if it is already known.
  var problem: Failure?

  init(
    _ input: String, name: String? = nil, root: String? = nil, _ options: SongOptions,
    problem: Failure? = nil
  ) {
    self.input = input
    self.name = name ?? SongPath.lastPart(input)
    self.root = root
    self.options = options
    self.problem = problem
  }
}
