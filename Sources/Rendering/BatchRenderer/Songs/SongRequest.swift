package import LocalSystem

/// A song from the command line, a folder, or a line of a manifest.
package struct SongRequest: Equatable {
  /// The path; `-` is standard input.
  package var input: String
  /// The path of the output file below `--directory`, with the ending of the input.
  package var name: String
  /// The folder in which the song was found, below which no symbolic link is followed; `nil`: links are followed.
  package var root: String?
  /// The path of the output file; `nil`: not given.
  package var output: String?
  package var options: SongOptions
  /// The reason why the song cannot be rendered, if it is already known.
  package var problem: Failure?

  package init(
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
